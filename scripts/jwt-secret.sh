# shellcheck shell=bash
# Sourced by what starts services with tokens or makes tokens: the secret of this checkout, random, readable by its owner alone.

# export_jwt_secret: WAYBILL_SECURITY_JWT_SECRET from .services/jwt-secret, which is made at need. One in the environment wins.
export_jwt_secret() {
  local file="$WAYBILL_ROOT/.services/jwt-secret" made
  if [[ -z "${WAYBILL_SECURITY_JWT_SECRET:-}" ]]; then
    mkdir -p "$WAYBILL_ROOT/.services"
    if [[ ! -s "$file" ]]; then
      # Two at the same time must agree: the file appears whole, and only one of them can link it.
      made="$(umask 077 && mktemp "$file.XXXXXX")"
      od -An -v -tx1 -N32 /dev/urandom | tr -d ' \n' >"$made"
      ln "$made" "$file" 2>/dev/null || true
      rm -f "$made"
    fi
    WAYBILL_SECURITY_JWT_SECRET="$(cat "$file")"
  fi
  export WAYBILL_SECURITY_JWT_SECRET
}
