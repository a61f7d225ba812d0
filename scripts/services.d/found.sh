# Where a server comes from: an address in the environment, an installed package, apt, Docker Compose.
# shellcheck shell=bash disable=SC2034,SC2178

given() { local variable="WAYBILL_${1^^}_URL"; [[ -n "${!variable:-}" ]]; }
given_address() {
  local variable="WAYBILL_${1^^}_URL" address
  address="$(sed -E 's|^(jdbc:)?[a-z]*://||; s|^[^@/]*@||; s|[/?;].*||' <<<"${!variable}")"
  [[ "$address" == *:* ]] || address="$address:$(usual_port "$1")"
  echo "$address"
}
usual_port() {
  case "$1" in
    mariadb | mysql) echo 3306 ;;
    postgresql) echo 5432 ;;
    redis) echo 6379 ;;
    rabbitmq) echo 5672 ;;
    rocketmq) echo 9876 ;;
  esac
}
given_state() {
  local address
  address="$(given_address "$1")"
  if answers "${address%:*}" "${address##*:}"; then echo up; else echo unreachable; fi
}

# --- Docker Compose, for machines without packages and without root ---------------------------------------------

by_compose() { [[ -e "$STATE/$1/by-compose" ]]; }
compose() {
  WAYBILL_PASSWORD="$PASSWORD" docker compose --env-file "$PORTS_FILE" -p "waybill-$CHECKOUT_ID" \
    -f "$WAYBILL_ROOT/scripts/services.d/compose.yaml" "$@" >&2
}
# Its volumes keep the password that they were made with.
compose_up() {
  if ! knows_password "$1"; then compose rm --stop --force --volumes "$1"; fi
  compose up -d --wait "$1" && remember_password "$1"
}
compose_state() {
  case "$(docker inspect -f '{{.State.Status}}' "waybill-$CHECKOUT_ID-$1-1" 2>/dev/null)" in
    running) echo up ;;
    paused) echo paused ;;
    *) echo down ;;
  esac
}
engine_answers() { timeout 10 docker info >/dev/null 2>&1 && docker compose version >/dev/null 2>&1; }

# --- apt -----------------------------------------------------------------------------------------------------------

can_install() { [[ $EUID -eq 0 ]] && command -v apt-get >/dev/null; }

# A policy that says 101 keeps packages from starting servers by themselves. One that was there before stays.
install_packages() {
  local policy=/usr/sbin/policy-rc.d package
  if [[ ! -e "$policy" ]]; then
    printf '#!/bin/sh\nexit 101\n' >"$policy"
    chmod +x "$policy"
    trap "rm -f /usr/sbin/policy-rc.d" EXIT # also when interrupted
  fi
  say "installing by apt: $*"
  # One by one if not together: a package that this release does not have must not cost the others.
  (
    apt-get update -qq || true
    apt_install "$@" || for package in "$@"; do apt_install "$package" || true; done
  ) 9>&- </dev/null >"$SERVICES/apt.log" 2>&1
}
apt_install() {
  DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends -o DPkg::Lock::Timeout=300 "$@"
}

# Sets STARTABLE; says for every other server what is missing and what to do. Returns 1 when one cannot be had.
find_all() {
  local name packages=() missing=() failed=0
  STARTABLE=()
  for name in "$@"; do
    if given "$name"; then continue; fi
    load "$name"
    mkdir -p "$STATE/$name"
    if by_compose "$name"; then missing+=("$name"); continue; fi
    if alive "$STATE/$name/pid" || find_server; then
      STARTABLE+=("$name")
      [[ -e "$STATE/$name/found" ]] || echo "$FOUND" >"$STATE/$name/found"
    else
      missing+=("$name")
      packages+=("${PACKAGES[@]}")
    fi
  done
  ((${#missing[@]})) || return 0
  if ((${#packages[@]})) && can_install; then install_packages "${packages[@]}"; fi
  for name in "${missing[@]}"; do
    load "$name"
    if ! by_compose "$name" && find_server; then
      STARTABLE+=("$name")
      case "$FOUND" in
        "installed package") echo "installed just now by apt" ;;
        *) echo "$FOUND" ;;
      esac >"$STATE/$name/found"
    elif engine_answers && compose_up "$name"; then
      touch "$STATE/$name/by-compose"
    else
      what_is_missing "$name"
      failed=1
    fi
  done
  return $failed
}

what_is_missing() {
  local remedy="let Maven reach its repository once"
  if ((${#PACKAGES[@]})); then
    remedy="install ${PACKAGES[*]}"
    if can_install; then remedy+=" (apt did not, see .services/apt.log)"; else remedy+=" (run by root, with apt, this does it by itself)"; fi
  fi
  say "$1: cannot be had. Do one of: $remedy; start a Docker engine; set WAYBILL_${1^^}_URL."
}
