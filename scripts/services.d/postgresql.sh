# shellcheck shell=bash disable=SC2034,SC2178
PACKAGES=(postgresql)
STOP_SIGNAL=INT # "fast": TERM would wait until the last client has gone
FOUND="installed package"

postgresql_bin() {
  local dir
  for dir in $(ls -d /usr/lib/postgresql/*/bin 2>/dev/null | sort -rV) "$(dirname "$(command -v postgres || echo /none/postgres)")"; do
    if [[ -x "$dir/postgres" && -x "$dir/initdb" ]]; then echo "$dir"; return; fi
  done
  return 1
}

find_server() { postgresql_bin >/dev/null; }

initialise() {
  local base="$1" bin="$2" database
  "${AS[@]}" "$bin/initdb" -D "$base/data" -U waybill --pwfile="$base/pwfile" --auth=scram-sha-256 -E UTF8 --no-locale || return 1
  "${AS[@]}" tee -a "$base/data/postgresql.conf" <<EOF || return 1
listen_addresses = '127.0.0.1'
unix_socket_directories = ''
max_connections = 300
shared_preload_libraries = 'pg_stat_statements'
EOF
  # In the template too, so that every database made later has the view.
  for database in template1 postgres; do
    echo 'CREATE EXTENSION pg_stat_statements;' | "${AS[@]}" "$bin/postgres" --single -D "$base/data" "$database" || return 1
  done
}

start_server() {
  local base="$STATE/postgresql" bin
  bin="$(postgresql_bin)"
  become postgres
  [[ $EUID -ne 0 || ${#AS[@]} -gt 0 ]] || die "postgresql refuses to run as root, and there is no user postgres"
  mkdir -p "$base"
  if [[ ! -e "$base/initialised" ]]; then
    rm -rf "$base/data"
    mkdir -p "$base/data"
    own "$base/data"
    write_secret "$base/pwfile" <<<"$PASSWORD"
    (cd / && initialise "$base" "$bin") >"$base/install.log" 2>&1 || return 1
    rm "$base/pwfile"
    touch "$base/initialised"
    remember_password postgresql
  fi
  # After a kill the pid in it may be a zombie that nobody fetches; PostgreSQL would take it for a running server.
  rm -f "$base/data/postmaster.pid"
  cd /
  if ! knows_password postgresql; then
    "${AS[@]}" "$bin/postgres" --single -D "$base/data" postgres <<<"ALTER ROLE waybill PASSWORD '$PASSWORD'" >"$base/install.log" 2>&1 ||
      return 1
  fi
  launch "$base/pid" "$base/log" "${AS[@]}" "$bin/postgres" -D "$base/data" -p "$POSTGRESQL_PORT"
}

# The port opens before recovery ends: only an authentication request ('R') means ready.
server_ready() {
  [[ "$(ask "$POSTGRESQL_PORT" '\0\0\0\041\0\003\0\0user\0waybill\0database\0x\0\0' 1)" == R ]]
}
