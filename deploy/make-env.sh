#!/bin/sh
# Writes .env for docker compose: a separate secret for each use. It never replaces an .env, because ID_KEY and the
# databases' passwords must stay.
set -eu
cd "$(dirname "$0")/.."
if [ -e .env ]; then
  echo "$0: .env exists already, and stays as it is: remove it first, and with it the data (docker compose down --volumes)" >&2
  exit 1
fi
secrets=$(
  for name in BANK_CREDENTIAL CUSTOMER_AUTHENTICATION_CREDENTIAL ID_KEY KEY_ENCRYPTION_KEY PSEUDONYM_KEY TRAIL_KEY \
    POSTGRES_PASSWORD FINERACT_POSTGRES_PASSWORD CLICKHOUSE_PASSWORD; do
    secret=$(openssl rand -hex 32) || exit
    echo "$name=$secret"
  done
)
umask 077
echo "$secrets" > .env
