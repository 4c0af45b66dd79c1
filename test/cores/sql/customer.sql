-- Two customers of the bank of bank.sql, with the awkward rows that its queries meet: an account of both, a customer without a
-- name, a third currency, a payment that was voided, a long text. bank.examples.yaml says what the queries make of them.
INSERT INTO customer VALUES (4711, 815, 'Anna Lind'), (4712, 816, NULL);
INSERT INTO account (acct_no, prod_cd, ccy, stat_cd, cust_typ, label, sort_cd, ext_no) VALUES
  (1001, 10, 'GBP', 1, 'P', 'Everyday', '089999', '10010010'),
  (1002, 20, 'JPY', 1, 'P', 'Holiday', '089999', '10010020'),
  (1003, 20, 'EUR', 9, 'P', NULL, '089999', '10010030');
INSERT INTO holder VALUES (4711, 1001), (4711, 1002), (4711, 1003), (4712, 1001);
INSERT INTO balance VALUES
  (1001, 1, 1234.5600, 'C', '2026-11-20 12:00:17', NULL),
  (1001, 2, 1200.0000, 'C', '2026-11-20 12:00:17', 500.0000),
  (1002, 1, 1234, 'D', '2026-11-20 12:00:17', NULL),
  (1003, 1, 10.0000, 'C', '2026-11-20 12:00:17', NULL);
INSERT INTO txn (acct_no, seq_no, stat_cd, book_dt, made_ts, amt, dc_flag, narrative, void_flag) VALUES
  (1001, 900001, 20, 20261118, '2026-11-17 18:30:00', 42.5000, 'D', 'COFFEE HOUSE', 'N'),
  (1001, 900002, 20, 20261119, '2026-11-19 09:00:00', 1500.0000, 'C', 'SALARY NOVEMBER 2026 OF THE RIVERSIDE BOAT YARD', 'N'),
  (1001, 900003, 10, 20261120, '2026-11-20 08:15:00', 9.9900, 'D', 'BOOKSHOP', 'N'),
  (1001, 900004, 10, 20261120, '2026-11-20 08:20:00', 80.0000, 'D', 'FUEL, RELEASED', 'Y');
INSERT INTO payee VALUES (1001, 1, 1, '20000055779911', 'A Friend');
INSERT INTO future_payment VALUES (1001, 1, 20261201, 'RENT', 850, '20000055779912', 'A Landlord', 1);
INSERT INTO standing_order VALUES (1001, 1, 3, 1, 31, 'RENT', 20260131, 20261130, NULL, 1, 850, '20000055779912', 'A Landlord');
INSERT INTO mandate VALUES (1001, 1, 'M-1', 1, 'Energy');
INSERT INTO statement_cycle VALUES
  (1001, 20260901, 20260930, '2026-10-01 03:00:00', 1, 30, 'C', NULL, NULL),
  (1001, 20261001, 20261031, '2026-11-01 03:00:00', 1, 40, 'C', NULL, NULL);
