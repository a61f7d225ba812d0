# shellcheck shell=bash disable=SC2034
# Sourced by scripts that run a module of this repository: finds java, builds the module, tells its class path.

fail() { echo "${0##*/}: $1" >&2; exit 1; }

JAVA="${JAVA_HOME:+$JAVA_HOME/bin/}java"
version="$("$JAVA" -version 2>&1 | sed -En 's/.*version "(1\.)?([0-9]+).*/\2/p' | head -1)" || version=
[[ -n "$version" ]] || fail "there is no java; install a JDK 17 or newer, or set JAVA_HOME"
((version >= 17)) || fail "java is version $version, Waybill needs 17 or newer; set JAVA_HOME"
command -v mvn >/dev/null || fail "there is no mvn; install Maven 3.8 or newer"

# build_class_path MODULE [MAVEN OPTIONS]: compiles what changed, and sets CLASS_PATH. The network is asked only when something
# is missing.
build_class_path() {
  local module="$1" paths="$WAYBILL_ROOT/$1/target/class-path"
  shift
  local options=("$@" -pl "$module" -am)
  mvn_compile() {
    mvn -B -q "$@" compile dependency:build-classpath -DincludeScope=runtime -Dspotless.check.skip=true \
      -Dmdep.outputFile="$paths" >&2
  }
  if [[ ! -s "$paths" ]]; then
    echo "${0##*/}: building (the first time fetches dependencies)" >&2
    mvn_compile "${options[@]}" || fail "the build failed; what Maven says above tells why"
  else
    echo "${0##*/}: building what changed" >&2
    mvn_compile -o "${options[@]}" || mvn_compile "${options[@]}" || fail "the build failed; what Maven says above tells why"
  fi
  CLASS_PATH="$WAYBILL_ROOT/$module/target/classes:$(cat "$paths")"
}
