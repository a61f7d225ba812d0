# shellcheck shell=bash disable=SC2034,SC2178
PACKAGES=(mariadb-server)
STOP_SIGNAL=TERM

find_server() { command -v mariadbd >/dev/null && command -v mariadb-install-db >/dev/null; }
FOUND="installed package"

start_server() {
  local base="$STATE/mariadb" user=()
  become mysql
  if [[ $EUID -eq 0 ]]; then if user_exists mysql; then user=(--user=mysql); else user=(--user=root); fi; fi
  mkdir -p "$base"
  # A half-made data folder (a killed first start) is made anew: the marker is written last.
  if [[ ! -e "$base/initialised" ]]; then
    rm -rf "$base/data"
    mariadb-install-db --no-defaults "${user[@]}" --datadir="$base/data" --auth-root-authentication-method=normal \
      --skip-test-db >"$base/install.log" 2>&1 || return 1
    touch "$base/initialised"
  fi
  write_secret "$base/init.sql" <<EOF
DELETE FROM mysql.global_priv WHERE User='';
FLUSH PRIVILEGES;
ALTER USER 'root'@'localhost' IDENTIFIED BY '$PASSWORD';
CREATE USER IF NOT EXISTS 'waybill'@'%' IDENTIFIED BY '$PASSWORD';
ALTER USER 'waybill'@'%' IDENTIFIED BY '$PASSWORD';
GRANT ALL PRIVILEGES ON *.* TO 'waybill'@'%' WITH GRANT OPTION;
EOF
  # The socket's name is relative to the data folder: an absolute one may pass the limit of 107 bytes.
  launch "$base/pid" "$base/log" "${AS[@]}" mariadbd --no-defaults --datadir="$base/data" --socket=mariadb.sock \
    --pid-file=mariadb.pid --bind-address=127.0.0.1 --port="$MARIADB_PORT" --skip-name-resolve --max-connections=500 \
    --character-set-server=utf8mb4 --log-bin=bin --binlog-format=ROW --server-id=1 --expire-logs-days=1 \
    --init-file="$base/init.sql"
}

server_ready() { [[ "$(ask "$MARIADB_PORT" '' 60)" == *MariaDB* ]]; }
