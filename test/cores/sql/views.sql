-- A core that shows its records in views: texts, instants with microseconds, signed minor units.
CREATE TABLE people (customer_ref text PRIMARY KEY, person_ref text NOT NULL, name text);
CREATE TABLE accounts (
  account_ref text PRIMARY KEY, product text NOT NULL, currency text NOT NULL, is_open boolean NOT NULL, holder text NOT NULL,
  label text, sort_code text, account_number text, iban text, card_end text);
CREATE TABLE holders (customer_ref text, account_ref text, PRIMARY KEY (customer_ref, account_ref));
CREATE TABLE balances (account_ref text, kind text, minor_units bigint, currency text, as_of timestamptz, overdraft bigint);
CREATE INDEX ON balances (account_ref);
-- The last one is a code that the bank's file does not know: the kit writes it.
CREATE TYPE entry_status AS ENUM ('HELD', 'BOOKED', '????');
CREATE TABLE entries (
  account_ref text, id text, status entry_status, at timestamptz, made_at timestamptz, expected_at timestamptz, value_at timestamptz,
  minor_units bigint, currency text, text text, balance bigint, fx_currency text, fx_rate numeric, PRIMARY KEY (account_ref, id));
CREATE INDEX ON entries (account_ref, at);
CREATE TABLE offers (
  account_ref text, end_month text, fee_percentage numeric, max_transfer_percentage numeric, min_transfer bigint,
  min_fee bigint, annual_rate numeric, take_up_end date);
CREATE INDEX ON offers (account_ref);
CREATE TABLE products (account_ref text PRIMARY KEY, code text, name text, type text);
CREATE VIEW account_view AS SELECT * FROM holders JOIN accounts USING (account_ref);
