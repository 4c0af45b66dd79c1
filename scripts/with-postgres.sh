#!/bin/sh
# Runs a command with DATABASE_URL naming a throw-away PostgreSQL of its own, e.g.
#   scripts/with-postgres.sh npm run test:postgres
# The server listens on 127.0.0.1 only; it is stopped and removed however the command ends, whose exit code is ours.
# POSTGRES_OPTIONS are further options of the server. Where PostgreSQL is missing, root installs Debian's package.
set -eu

if [ $# -eq 0 ]; then
  echo "usage: $0 command [argument...]" >&2
  exit 2
fi

# Debian keeps the server's binaries out of the PATH.
find_binaries() {
  for candidate in $(ls -d /usr/lib/postgresql/*/bin 2>/dev/null | sort -rV) "$(dirname "$(command -v initdb || echo /none/initdb)")"; do
    if [ -x "$candidate/initdb" ]; then
      echo "$candidate"
      return
    fi
  done
}

binaries=$(find_binaries)
if [ -z "$binaries" ] && [ "$(id -u)" -eq 0 ] && command -v apt-get >/dev/null; then
  (apt-get update && DEBIAN_FRONTEND=noninteractive apt-get install --yes --no-install-recommends postgresql) >&2
  binaries=$(find_binaries)
fi
if [ -z "$binaries" ]; then
  echo "$0: PostgreSQL is not installed: install Debian's package 'postgresql' (or another system's) and try again" >&2
  exit 1
fi

# PostgreSQL refuses to run as root.
as_server() {
  if [ "$(id -u)" -eq 0 ]; then runuser -u postgres -- "$@"; else "$@"; fi
}

home=$(mktemp -d "${TMPDIR:-/tmp}/throw-away-postgres.XXXXXX")
remove() {
  code=$?
  trap - EXIT
  if [ -f "$home/data/postmaster.pid" ]; then
    as_server "$binaries/pg_ctl" stop --silent --mode=immediate --pgdata="$home/data" || true
  fi
  rm -rf "$home"
  exit "$code"
}
trap remove EXIT
trap 'exit 129' HUP
trap 'exit 130' INT
trap 'exit 143' TERM

password=$(od -An -N16 -tx1 /dev/urandom | tr -d ' \n')
printf '%s' "$password" >"$home/password"
if [ "$(id -u)" -eq 0 ]; then chown -R postgres "$home"; fi
port=$(node -e 'const s = require("net").createServer().listen(0, "127.0.0.1", () => { console.log(s.address().port); s.close(); })')

cd "$home" # runuser keeps the folder, which the server's user may not be allowed to read
as_server "$binaries/initdb" --pgdata="$home/data" --username=gateway --pwfile="$home/password" \
  --auth=scram-sha-256 --encoding=UTF8 --locale=C --no-sync >"$home/log" 2>&1 ||
  { cat "$home/log" >&2; exit 1; }
as_server "$binaries/pg_ctl" start --silent --wait --pgdata="$home/data" --log="$home/data/log" \
  --options="-c listen_addresses=127.0.0.1 -c port=$port -c unix_socket_directories='' -c fsync=off -c max_connections=200 ${POSTGRES_OPTIONS:-}" ||
  { cat "$home/data/log" >&2; exit 1; }
cd "$OLDPWD"

DATABASE_URL="postgresql://gateway:$password@127.0.0.1:$port/postgres" "$@"
