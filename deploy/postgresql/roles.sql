-- The roles of a gateway on PostgreSQL, and the rights of each:
--
--   <prefix>_owner        owns the schema and all in it, and runs `migrate`
--   <prefix>_serving      the gateway, `recover` and `accept-key`: rows only; no tables, no triggers, no TRUNCATE
--   <prefix>_maintenance  `retention` and `erase`: changes and removes rows; adds only records of deleted days and losses of the trail
--
-- Run it with psql: once before the first `migrate`, as a superuser; and after each `migrate`, as <prefix>_owner. It may be
-- repeated: it sets every right again.
--
--   psql "$DATABASE_URL" --set=schema=public --set=prefix=gateway --file=deploy/postgresql/roles.sql
--
-- These are the defaults. The schema must be the gateway's alone: the owner gets all in it. Gateways that share a server
-- have a prefix each. The file sets no passwords: use \password.
\set ON_ERROR_STOP on
\if :{?schema}
\else
  \set schema public
\endif
\if :{?prefix}
\else
  \set prefix gateway
\endif
\set owner :prefix _owner
\set serving :prefix _serving
\set maintenance :prefix _maintenance

BEGIN;
SELECT current_user <> :'owner' AS prepares \gset
\if :prepares
  SELECT format('CREATE ROLE %I LOGIN', name) FROM unnest(ARRAY[:'owner', :'serving', :'maintenance']) AS name
    WHERE NOT EXISTS (SELECT FROM pg_roles WHERE rolname = name) \gexec
  SELECT format('CREATE SCHEMA %I', :'schema') WHERE to_regnamespace(quote_ident(:'schema')) IS NULL \gexec
  ALTER SCHEMA :"schema" OWNER TO :"owner";
  -- Those of a gateway that has migrated under another role.
  SELECT format('ALTER TABLE %s OWNER TO %I', oid::regclass, :'owner') FROM pg_class
    WHERE relnamespace = to_regnamespace(quote_ident(:'schema')) AND relkind = 'r' \gexec
  SELECT format('ALTER FUNCTION %s OWNER TO %I', oid::regprocedure, :'owner') FROM pg_proc
    WHERE pronamespace = to_regnamespace(quote_ident(:'schema')) \gexec
  -- PostgreSQL before 15 lets every role make tables in public, and every release lets every role make temporary ones.
  SELECT format('REVOKE TEMPORARY ON DATABASE %I FROM PUBLIC', current_database()) \gexec
\endif

REVOKE ALL ON SCHEMA :"schema" FROM PUBLIC, :"serving", :"maintenance";
REVOKE ALL ON ALL TABLES IN SCHEMA :"schema" FROM PUBLIC, :"serving", :"maintenance";
GRANT USAGE ON SCHEMA :"schema" TO :"serving", :"maintenance";

SELECT format('GRANT %s ON %I.%I TO %I', granted, :'schema', name, role)
FROM (VALUES
  -- Table               Serving role                      Maintenance role
  ('_prisma_migrations', 'SELECT',                         'SELECT'),
  ('consents',           'SELECT, INSERT, UPDATE, DELETE', 'SELECT, UPDATE, DELETE'),
  ('consent_uses',       'SELECT, INSERT, UPDATE, DELETE', 'SELECT, UPDATE, DELETE'),
  ('used_references',    'SELECT, INSERT',                 'SELECT, DELETE'),
  ('consent_events',     'SELECT, INSERT, UPDATE, DELETE', 'SELECT, DELETE'),
  ('withdrawals_to_announce', 'SELECT, INSERT, UPDATE, DELETE', NULL),
  ('limit_counts',       'SELECT, INSERT, UPDATE, DELETE', 'SELECT, UPDATE, DELETE'),
  ('customer_journeys',  'SELECT, INSERT, UPDATE, DELETE', 'SELECT, UPDATE, DELETE'),
  ('dashboard_sessions', 'SELECT, INSERT, UPDATE, DELETE', 'SELECT, UPDATE, DELETE'),
  ('oidc_artefacts',     'SELECT, INSERT, UPDATE, DELETE', 'SELECT, UPDATE, DELETE'),
  ('used_proofs',        'SELECT, INSERT, UPDATE, DELETE', 'SELECT, UPDATE, DELETE'),
  ('known_keys',         'SELECT, INSERT, DELETE',         NULL),
  ('planned_outages',    'SELECT, INSERT, DELETE',         NULL),
  ('signing_keys',       'SELECT, INSERT, UPDATE, DELETE', NULL),
  ('tpps',               'SELECT, INSERT, UPDATE, DELETE', 'SELECT (client_id, name)'),
  ('consent_withdrawals', 'SELECT, INSERT',                'SELECT, UPDATE, DELETE'),
  ('operators',          'SELECT, INSERT, UPDATE, DELETE', NULL),
  ('proposals',          'SELECT, INSERT, DELETE',         'SELECT, DELETE'),
  ('tpp_withdrawals',    'SELECT, INSERT',                 NULL),
  ('trail_roots',        'SELECT, INSERT',                 'SELECT, INSERT'),
  ('tpp_standings',      'SELECT, INSERT, UPDATE, DELETE', 'SELECT')
) AS tables (name, of_serving, of_maintenance)
CROSS JOIN LATERAL (VALUES (:'serving', of_serving), (:'maintenance', of_maintenance)) AS rights (role, granted)
WHERE granted IS NOT NULL AND to_regclass(format('%I.%I', :'schema', name)) IS NOT NULL \gexec

-- A gateway adds roots only, and the maintenance role deleted days and losses only: an attacker who controls a gateway cannot record that a day was
-- deleted or is lost.
-- Without a notice for each policy that is not there yet.
SET LOCAL client_min_messages = warning;
SELECT format(statement, :'schema', role) FROM (VALUES
  (1, 'ALTER TABLE %1$I.trail_roots ENABLE ROW LEVEL SECURITY', NULL),
  (2, 'DROP POLICY IF EXISTS read_by_all ON %1$I.trail_roots', NULL),
  (3, 'DROP POLICY IF EXISTS roots_by_serving ON %1$I.trail_roots', NULL),
  (4, 'DROP POLICY IF EXISTS drops_by_maintenance ON %1$I.trail_roots', NULL),
  (5, 'CREATE POLICY read_by_all ON %1$I.trail_roots FOR SELECT USING (true)', NULL),
  (6, 'CREATE POLICY roots_by_serving ON %1$I.trail_roots FOR INSERT TO %2$I WITH CHECK (segment NOT LIKE ''dropped.%%'' AND segment NOT LIKE ''lost.%%'')', :'serving'),
  (7, 'CREATE POLICY drops_by_maintenance ON %1$I.trail_roots FOR INSERT TO %2$I WITH CHECK (segment LIKE ''dropped.%%'' OR segment LIKE ''lost.%%'')', :'maintenance')
) AS policies (place, statement, role)
WHERE to_regclass(format('%I.trail_roots', :'schema')) IS NOT NULL ORDER BY place \gexec
COMMIT;
