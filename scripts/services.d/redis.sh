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
  write_secret "$base/redis.conf" <<<"requirepass $PASSWORD"
  launch "$base/pid" "$base/log" "${AS[@]}" redis-server "$base/redis.conf" --bind 127.0.0.1 --port "$REDIS_PORT" --dir "$base/data" \
    --daemonize no
}

server_ready() { [[ "$(ask "$REDIS_PORT" "AUTH $PASSWORD\r\nPING\r\n" 12)" == *+PONG* ]]; }
