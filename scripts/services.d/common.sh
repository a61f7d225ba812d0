# Shared by scripts/services and the six server files: where things are, who is alive, how to start a process.
# shellcheck shell=bash disable=SC2034 # names are used by the files that source this one

ALL_SERVERS=(mariadb mysql postgresql redis rabbitmq rocketmq)
SERVICES="$WAYBILL_ROOT/.services"
PORTS_FILE="$SERVICES/ports.env"
PASSWORD_FILE="$SERVICES/password"
CHECKOUT_ID="$(printf %s "$WAYBILL_ROOT" | cksum | cut -d' ' -f1)"

say() { printf 'services: %s\n' "$*" >&2; }
die() { say "$*"; exit 1; }

# --- folders ---------------------------------------------------------------------------------------------------

# Servers started by root run as mysql, postgres, rabbitmq, redis, who must be able to walk to their data folder.
others_can_reach() {
  local dir="$1"
  while [[ "$dir" != / ]]; do
    [[ "$(stat -c %A "$dir" | cut -c10)" == [xt] ]] || return 1
    dir="$(dirname "$dir")"
  done
}

# The folder that holds the data: .services, or /var/tmp for a checkout such as /root/waybill that only root may enter.
data_root() {
  if [[ $EUID -ne 0 ]] || others_can_reach "$WAYBILL_ROOT"; then
    echo "$SERVICES"
    return
  fi
  local dir="/var/tmp/waybill-services-$CHECKOUT_ID"
  mkdir -p "$dir"
  [[ -O "$dir" ]] || die "$dir belongs to somebody else; remove it, or move the checkout to a folder others may enter"
  echo "$dir"
}

network_namespace() { readlink /proc/self/ns/net | tr -dc 0-9; }

# A run inside another network namespace cannot reach these servers, and must not open their data: it gets its own.
lives_elsewhere() {
  local dir="$1" name namespace
  for name in "${ALL_SERVERS[@]}"; do
    alive "$dir/$name/pid" || continue
    namespace="$(readlink "/proc/$(pid_of "$dir/$name/pid")/ns/net" | tr -dc 0-9)" || true
    [[ -z "$namespace" || "$namespace" == "$(network_namespace)" ]] || return 0 # none: it is ending just now
  done
  return 1
}

choose_state_folder() {
  STATE="$(data_root)"
  mkdir -p "$SERVICES"
  if lives_elsewhere "$STATE"; then STATE="$STATE/netns-$(network_namespace)"; fi
  mkdir -p "$STATE"
}

# --- the password: every local user can reach loopback, so only the checkout's owner may know it -----------------------

# Drawn on the first start and kept.
choose_password() {
  if [[ ! -s "$PASSWORD_FILE" ]]; then
    (umask 077 && head -c 24 /dev/urandom | base64 | tr '+/' 'xy' >"$PASSWORD_FILE.new")
    mv "$PASSWORD_FILE.new" "$PASSWORD_FILE"
  fi
  PASSWORD="$(cat "$PASSWORD_FILE")"
}

# Whether a server and its data were made with this password. RocketMQ has none.
knows_password() { [[ "$1" == rocketmq || "$(cat "$STATE/$1/password" 2>/dev/null)" == "$PASSWORD" ]]; }
remember_password() {
  rm -f "$STATE/$1/password"
  (umask 077 && echo "$PASSWORD" >"$STATE/$1/password")
}

# Standard input becomes a file that the server's user alone can read. No command line holds the password: ps shows those.
write_secret() {
  rm -f "$1"
  (umask 077 && cat >"$1")
  own "$1"
}

# --- processes: a pid file holds "pid start-time", so that a recycled pid is never taken for a server ----------------

start_time() { sed -e 's/.*) //' "/proc/$1/stat" 2>/dev/null | cut -d' ' -f20; }
process_state() { sed -e 's/.*) //' "/proc/$1/stat" 2>/dev/null | cut -d' ' -f1; }
pid_of() { cut -d' ' -f1 "$1" 2>/dev/null; }

alive() {
  local pid started tasks
  [[ -s "$1" ]] || return 1
  read -r pid started <"$1" || return 1
  [[ -n "$started" && "$(start_time "$pid")" == "$started" ]] || return 1
  [[ "$(process_state "$pid")" == Z ]] || return 0
  # A zombie that nobody has fetched is dead, unless its other threads still hold ports and locks.
  tasks=("/proc/$pid/task/"*)
  ((${#tasks[@]} > 1))
}
paused() { alive "$1" && [[ "$(process_state "$(pid_of "$1")")" == T ]]; }

await_end() { # pid file, seconds
  local deadline=$((SECONDS + $2))
  while alive "$1"; do
    ((SECONDS < deadline)) || return 1
    sleep 0.05
  done
  rm -f "$1"
}

# Each thread stops at its own next chance; one that runs on for a moment could still answer.
await_stopped() {
  local tries
  for ((tries = 0; tries < 500; tries++)); do
    [[ -d "/proc/$1" ]] || return 0
    if ! awk '{ sub(/.*\) /, ""); if ($1 != "T") running = 1 } END { exit !running }' "/proc/$1/task/"*/stat 2>/dev/null; then return 0; fi
    sleep 0.01
  done
}

children_of() { cat "/proc/$1/task/"*/children 2>/dev/null | tr '\n' ' '; }

# A signal by recorded pid; a paused process is woken, or it would never see it. A kill takes the children along: an
# orphaned PostgreSQL backend would keep the data folder for itself. So does a pause: backends answer without their parent.
signal() {
  local pid child family=()
  alive "$2" || return 0
  pid="$(pid_of "$2")"
  if [[ "$1" == KILL ]]; then read -r -a family <<<"$(children_of "$pid")" || true; fi
  kill "-$1" "$pid"
  case "$1" in
    KILL) for child in "${family[@]}"; do kill -KILL "$child" 2>/dev/null || true; done ;;
    STOP)
      await_stopped "$pid" # then it forks no more
      for child in $(children_of "$pid"); do kill -STOP "$child" 2>/dev/null || true; done
      for child in $(children_of "$pid"); do await_stopped "$child"; done
      ;;
    *) for child in "$pid" $(children_of "$pid"); do kill -CONT "$child" 2>/dev/null || true; done ;;
  esac
}

user_exists() { id "$1" >/dev/null 2>&1; }

# AS: the command prefix that turns root into the server's own user, keeping the pid; empty for everyone else.
become() {
  AS=()
  if [[ $EUID -eq 0 ]] && user_exists "$1"; then
    AS=(setpriv "--reuid=$1" "--regid=$(id -g "$1")" --init-groups --)
  fi
}
own() { if ((${#AS[@]})); then chown -R "${AS[1]#--reuid=}" "$1"; fi; }

launch() { # pid file, log file, command…
  local pid_file="$1" log="$2"
  shift 2
  setsid "$@" </dev/null >>"$log" 2>&1 9>&- &
  echo "$! $(start_time $!)" >"$pid_file"
}

# --- the network ------------------------------------------------------------------------------------------------

answers() { (exec 3<>"/dev/tcp/$1/$2") 2>/dev/null; } # host, port

# One request, the first bytes of the answer. The request may hold the password, so it is no argument of a process.
ask() { # port, request as a printf format, bytes
  REQUEST="$2" timeout 3 bash -c 'exec 3<>"/dev/tcp/127.0.0.1/$1" && printf "$REQUEST" >&3 && head -c "$2" <&3' _ "$1" "$3" 2>/dev/null |
    tr -d '\0'
}

port() { local variable="${1^^}_PORT"; echo "${!variable}"; }

# Below the range that the kernel hands out; the start depends on the checkout, so that neighbours rarely meet.
choose_ports() {
  if [[ -s "$PORTS_FILE" ]]; then
    # shellcheck disable=SC1090
    source "$PORTS_FILE"
    return
  fi
  local blocks=600 block base offset try
  for ((try = 0; try < blocks; try++)); do
    block=$(((CHECKOUT_ID + try) % blocks))
    base=$((20000 + block * 20))
    for ((offset = 0; offset < 20; offset++)); do
      answers 127.0.0.1 $((base + offset)) && continue 2
    done
    cat >"$PORTS_FILE.new" <<EOF
# Chosen on the first start and kept. Remove this file while the servers are down to choose again.
MARIADB_PORT=$base
MYSQL_PORT=$((base + 1))
POSTGRESQL_PORT=$((base + 2))
REDIS_PORT=$((base + 3))
RABBITMQ_PORT=$((base + 4))
RABBITMQ_MANAGEMENT_PORT=$((base + 5))
RABBITMQ_DIST_PORT=$((base + 6))
RABBITMQ_EPMD_PORT=$((base + 7))
ROCKETMQ_PORT=$((base + 8))
ROCKETMQ_BROKER_PORT=$((base + 12))
EOF
    mv "$PORTS_FILE.new" "$PORTS_FILE"
    # shellcheck disable=SC1090
    source "$PORTS_FILE"
    return
  done
  die "no free block of 20 ports between 20000 and 32000"
}

# --- Maven ------------------------------------------------------------------------------------------------------

pom_property() { sed -n "s|.*<$1>\(.*\)</$1>.*|\1|p" "$WAYBILL_ROOT/pom.xml" | head -1; }
dependency_plugin() { echo "org.apache.maven.plugins:maven-dependency-plugin:$(pom_property dependency-plugin.version)"; }
jdk_program() { if [[ -n "${JAVA_HOME:-}" && -x "$JAVA_HOME/bin/$1" ]]; then echo "$JAVA_HOME/bin/$1"; else command -v "$1"; fi; }
