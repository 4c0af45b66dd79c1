-- A core as old ones are: codes are numbers, days are numbers in local time, amounts have no sign, and a flag has it.
CREATE TABLE customer (cust_no integer PRIMARY KEY, party_no integer NOT NULL, full_name varchar(140));
CREATE TABLE account (
  acct_no integer PRIMARY KEY, prod_cd smallint NOT NULL, ccy char(3) NOT NULL, stat_cd smallint NOT NULL,
  cust_typ char(1) NOT NULL, label varchar(70), sort_cd char(6), ext_no char(8), iban varchar(34), card_no varchar(19));
CREATE TABLE holder (
  cust_no integer REFERENCES customer, acct_no integer REFERENCES account, PRIMARY KEY (cust_no, acct_no));
CREATE TABLE balance (
  acct_no integer REFERENCES account, bal_cd smallint, amt numeric(19, 4) NOT NULL, dc_flag char(1) NOT NULL,
  as_of timestamp(3) NOT NULL, limit_amt numeric(19, 4));
CREATE INDEX ON balance (acct_no);
CREATE TABLE txn (
  acct_no integer NOT NULL, seq_no bigint PRIMARY KEY, stat_cd smallint NOT NULL, book_dt integer NOT NULL,
  made_ts timestamp(3), due_dt integer, val_dt integer, amt numeric(19, 4) NOT NULL, dc_flag char(1) NOT NULL,
  narrative varchar(280), bal_amt numeric(19, 4), bal_flag char(1), fx_ccy char(3), fx_rate numeric(12, 6),
  void_flag char(1) NOT NULL DEFAULT 'N');
CREATE INDEX ON txn (acct_no, book_dt);
CREATE TABLE payee (
  acct_no integer NOT NULL, payee_no integer PRIMARY KEY, kind_cd smallint NOT NULL, sort_acct char(14) NOT NULL,
  payee_name varchar(140));
CREATE INDEX ON payee (acct_no);
CREATE TABLE statement_cycle (
  acct_no integer NOT NULL, from_dt integer NOT NULL, to_dt integer NOT NULL, made_ts timestamp(3) NOT NULL,
  type_cd smallint NOT NULL, amt numeric(19, 4) NOT NULL, dc_flag char(1) NOT NULL, min_amt numeric(19, 4), due_dt integer);
CREATE INDEX ON statement_cycle (acct_no, to_dt);
CREATE TABLE mandate (
  acct_no integer NOT NULL, mandate_no integer PRIMARY KEY, reference varchar(35) NOT NULL, stat_cd smallint NOT NULL,
  service_user varchar(70) NOT NULL);
CREATE INDEX ON mandate (acct_no);
CREATE TABLE standing_order (
  acct_no integer NOT NULL, order_no bigint PRIMARY KEY, every_cd smallint NOT NULL, every_n smallint, on_day smallint,
  reference varchar(35), first_dt integer, next_dt integer, last_dt integer, stat_cd smallint NOT NULL,
  amt numeric(19, 4), sort_acct char(14) NOT NULL, payee_name varchar(140));
CREATE INDEX ON standing_order (acct_no);
CREATE TABLE future_payment (
  acct_no integer NOT NULL, payment_no bigint PRIMARY KEY, due_dt integer NOT NULL, reference varchar(35),
  amt numeric(19, 4) NOT NULL, sort_acct char(14) NOT NULL, payee_name varchar(140), type_cd smallint NOT NULL);
CREATE INDEX ON future_payment (acct_no);
