# shellcheck shell=bash disable=SC2034,SC2178
PACKAGES=(redis-server)
STOP_SIGNAL=TERM
FOUND="installed package"

find_server() { command -v redis-server >/dev/null; }

start_server() {
  local base="$STATE/redis"
  become redis
  mkdir -p "$base/data"
  own "$base/data"
  launch "$base/pid" "$base/log" "${AS[@]}" redis-server --bind 127.0.0.1 --port "$REDIS_PORT" --dir "$base/data" \
    --requirepass "$PASSWORD" --daemonize no
}

server_ready() { [[ "$(ask "$REDIS_PORT" "AUTH $PASSWORD\r\nPING\r\n" 12)" == *+PONG* ]]; }
