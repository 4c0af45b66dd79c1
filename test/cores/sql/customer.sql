-- One customer of the bank of bank.sql.
INSERT INTO customer VALUES (4711, 815, 'Anna Lind');
INSERT INTO account (acct_no, prod_cd, ccy, stat_cd, cust_typ, label, sort_cd, ext_no) VALUES
  (1001, 10, 'GBP', 1, 'P', 'Everyday', '089999', '10010010'),
  (1002, 20, 'JPY', 1, 'P', 'Holiday', '089999', '10010020');
INSERT INTO holder VALUES (4711, 1001), (4711, 1002);
INSERT INTO balance VALUES
  (1001, 1, 1234.5600, 'C', '2026-11-20 12:00:17', NULL),
  (1001, 2, 1200.0000, 'C', '2026-11-20 12:00:17', 500.0000),
  (1002, 1, 1234, 'D', '2026-11-20 12:00:17', NULL);
INSERT INTO txn (acct_no, seq_no, stat_cd, book_dt, made_ts, amt, dc_flag, narrative) VALUES
  (1001, 900001, 20, 20261118, '2026-11-17 18:30:00', 42.5000, 'D', 'COFFEE HOUSE'),
  (1001, 900002, 20, 20261119, '2026-11-19 09:00:00', 1500.0000, 'C', 'SALARY'),
  (1001, 900003, 10, 20261120, '2026-11-20 08:15:00', 9.9900, 'D', 'BOOKSHOP');
