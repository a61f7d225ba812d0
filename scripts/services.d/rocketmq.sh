# shellcheck shell=bash disable=SC2034,SC2178
# The jars come from Maven; the launcher's classes are compiled into .services, because a build may clean target/.
PACKAGES=()
STOP_SIGNAL=TERM
FOUND="Maven artifact"
ROCKETMQ_MODULE="$WAYBILL_ROOT/lab/servers"

find_server() { resolve_class_path && compile_launcher; }

poms_id() { cat "$WAYBILL_ROOT/pom.xml" "$ROCKETMQ_MODULE/pom.xml" | cksum | tr ' ' -; }

resolve_class_path() {
  ROCKETMQ_CLASS_PATH="$SERVICES/rocketmq-class-path-$(poms_id)"
  local jars=()
  if [[ -s "$ROCKETMQ_CLASS_PATH" ]]; then IFS=: read -r -a jars <"$ROCKETMQ_CLASS_PATH" || true; fi
  if ((${#jars[@]})) && ls "${jars[@]}" >/dev/null 2>&1; then return 0; fi
  rm -f "$SERVICES"/rocketmq-class-path-*
  (cd "$WAYBILL_ROOT" && mvn -B -q -pl lab/servers "$(dependency_plugin):build-classpath" -DincludeScope=runtime \
    -Dmdep.outputFile="$ROCKETMQ_CLASS_PATH") >"$SERVICES/rocketmq-artifact.log" 2>&1 ||
    { say "rocketmq: Maven could not resolve its jars, see $SERVICES/rocketmq-artifact.log"; return 1; }
}

compile_launcher() {
  local classes="$SERVICES/rocketmq-classes" sources="$ROCKETMQ_MODULE/src/main/java/dev/waybill/servers/rocketmq"
  [[ -e "$classes/complete" && -z "$(find "$sources" "$ROCKETMQ_MODULE/src/main/resources" -newer "$classes/complete" -print -quit)" ]] && return 0
  rm -rf "$classes"
  mkdir -p "$classes"
  "$(jdk_program javac)" --release 17 -proc:none -cp "$(cat "$ROCKETMQ_CLASS_PATH")" -d "$classes" "$sources"/*.java || return 1
  cp -r "$ROCKETMQ_MODULE/src/main/resources/." "$classes/"
  touch "$classes/complete"
}

start_server() {
  local base="$STATE/rocketmq"
  mkdir -p "$base/data"
  rm -f "$base/data/ready"
  launch "$base/pid" "$base/log" "$(jdk_program java)" -Xmx512m -XX:MaxDirectMemorySize=256m "-Duser.home=$base/data" \
    -cp "$SERVICES/rocketmq-classes:$(cat "$ROCKETMQ_CLASS_PATH")" dev.waybill.servers.rocketmq.RocketMqServer \
    "$base/data" "$ROCKETMQ_PORT" "$ROCKETMQ_BROKER_PORT"
}

server_ready() {
  [[ "$(cat "$STATE/rocketmq/data/ready" 2>/dev/null)" == "$(pid_of "$STATE/rocketmq/pid")" ]] &&
    answers 127.0.0.1 "$ROCKETMQ_PORT" && answers 127.0.0.1 "$ROCKETMQ_BROKER_PORT"
}
