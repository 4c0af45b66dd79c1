-- A core in which one column or one row has several fields: one customer number, ISO numbers of currencies, a product that says who
-- holds it, both balances in one row, one code for a rhythm, and two tables of transactions that each count from 1.
CREATE TABLE client (cif_no integer PRIMARY KEY, full_name varchar(140));
CREATE TABLE acct (
  acct_no integer PRIMARY KEY, prod_no smallint NOT NULL, ccy_no smallint NOT NULL, stat_cd smallint NOT NULL, sort_cd char(6),
  ext_no char(8), ledger_amt numeric(19, 4), avail_amt numeric(19, 4), od_amt numeric(19, 4), as_of timestamp(3));
CREATE TABLE link (cif_no integer REFERENCES client, acct_no integer REFERENCES acct, PRIMARY KEY (cif_no, acct_no));
CREATE TABLE journal (
  acct_no integer NOT NULL REFERENCES acct, entry_no bigint PRIMARY KEY, ts timestamp(3) NOT NULL, amt numeric(19, 4) NOT NULL,
  dc_flag char(1) NOT NULL, narrative varchar(280));
CREATE INDEX ON journal (acct_no, ts);
CREATE TABLE hold (
  acct_no integer NOT NULL REFERENCES acct, auth_no bigint PRIMARY KEY, ts timestamp(3) NOT NULL, amt numeric(19, 4) NOT NULL,
  dc_flag char(1) NOT NULL, narrative varchar(280));
CREATE TABLE standing_order (
  acct_no integer NOT NULL REFERENCES acct, order_no bigint PRIMARY KEY, rhythm char(2) NOT NULL, on_day smallint, next_dt date,
  stat_cd smallint NOT NULL, amt numeric(19, 4), sort_acct char(14) NOT NULL, payee_name varchar(140));
