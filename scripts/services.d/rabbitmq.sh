# shellcheck shell=bash disable=SC2034,SC2178
PACKAGES=(rabbitmq-server)
STOP_SIGNAL=TERM
FOUND="installed package"

# Debian's /usr/sbin/rabbitmq-server insists on its own user and folders; the script behind it does not.
rabbitmq_bin() {
  local program
  for program in "/usr/lib/rabbitmq/bin/$1" "$(command -v "$1" || true)"; do
    if [[ -x "$program" ]]; then echo "$program"; return; fi
  done
  return 1
}

find_server() { rabbitmq_bin rabbitmq-server >/dev/null && command -v epmd >/dev/null; }

rabbitmq_environment() {
  local base="$STATE/rabbitmq"
  ENVIRONMENT=(env "HOME=$base/data" "RABBITMQ_NODENAME=waybill-$RABBITMQ_PORT@localhost"
    "RABBITMQ_DIST_PORT=$RABBITMQ_DIST_PORT" ERL_EPMD_ADDRESS=127.0.0.1 "ERL_EPMD_PORT=$RABBITMQ_EPMD_PORT"
    "RABBITMQ_SERVER_ADDITIONAL_ERL_ARGS=-kernel inet_dist_use_interface {127,0,0,1}"
    "RABBITMQ_MNESIA_BASE=$base/data/mnesia" "RABBITMQ_LOG_BASE=$base/data/log" "RABBITMQ_CONF_ENV_FILE=$base/env.conf"
    "RABBITMQ_ENABLED_PLUGINS_FILE=$base/enabled_plugins" "RABBITMQ_CONFIG_FILE=$base/rabbitmq.conf"
    "RABBITMQ_PID_FILE=$base/data/pid" RUNNING_UNDER_SYSTEMD=true)
}

start_server() {
  local base="$STATE/rabbitmq"
  become rabbitmq
  # RabbitMQ takes default_pass only when it makes its data.
  if ! knows_password rabbitmq; then rm -rf "$base/data/mnesia"; fi
  mkdir -p "$base/data"
  : >"$base/env.conf"
  echo '[rabbitmq_management].' >"$base/enabled_plugins"
  write_secret "$base/rabbitmq.conf" <<EOF
listeners.tcp.1 = 127.0.0.1:$RABBITMQ_PORT
management.tcp.ip = 127.0.0.1
management.tcp.port = $RABBITMQ_MANAGEMENT_PORT
default_user = waybill
default_pass = $PASSWORD
EOF
  chmod 644 "$base"/{env.conf,enabled_plugins}
  own "$base/data"
  rabbitmq_environment
  cd "$base/data" || return 1
  # Started here, so that its pid is known: RabbitMQ would start one that stays behind.
  if ! alive "$base/epmd.pid"; then
    launch "$base/epmd.pid" "$base/log" "${AS[@]}" epmd -port "$RABBITMQ_EPMD_PORT" -address 127.0.0.1
  fi
  launch "$base/pid" "$base/log" "${AS[@]}" "${ENVIRONMENT[@]}" "$(rabbitmq_bin rabbitmq-server)"
}

server_ready() {
  local authorization
  authorization="$(printf %s "waybill:$PASSWORD" | base64)"
  [[ "$(ask "$RABBITMQ_PORT" 'AMQP\0\0\011\001' 12)" == $'\001'* ]] &&
    [[ "$(ask "$RABBITMQ_MANAGEMENT_PORT" "GET /api/vhosts/%%2F HTTP/1.0\r\nAuthorization: Basic $authorization\r\n\r\n" 15)" == *" 200"* ]]
}

rabbitmqctl() {
  become rabbitmq
  rabbitmq_environment
  cd "$STATE/rabbitmq/data" || die "rabbitmq: was never started here"
  exec "${AS[@]}" "${ENVIRONMENT[@]}" "$(rabbitmq_bin rabbitmqctl)" "$@"
}
