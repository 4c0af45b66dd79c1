import { createHash } from 'node:crypto';
import type pg from 'pg';
import type { Access } from '../../sandbox/clients/bank.client.js';
import { keyOfArtefact } from '../../src/authorisation-server/oidc/artefact.store.js';
import { keyOf, open, seal } from '../../src/authorisation-server/sealing.js';
import { withSchema } from './database.js';

/** The access by a journey through the bank's pages, and six reads that it answers. */
export interface GivenByJourney {
  readonly access: Access;
  readonly urls: readonly string[];
}

const sealedAtOnce = 5_000;
const model = 'RefreshToken';

/**
 * Fills the schema with consents of the last 400 days, and with the rows that a gateway keeps of them.
 *
 * A usable consent copies one of `given`, with its customer and accounts; they are spread evenly over all. The others belong
 * to customers and accounts that the core does not know, and their sealed texts open with no value: 80 of 100 give access,
 * and the rest have expired or were revoked.
 */
export function fillConsents(
  databaseUrl: string,
  given: readonly GivenByJourney[],
  count: number,
  usable: number,
): Promise<GivenByJourney[]> {
  const apart = Math.floor(count / usable);
  return withSchema(databaseUrl, async (client) => {
    const artefacts = await openedArtefacts(client, given);
    await client.query(
      `CREATE TEMP TABLE given AS SELECT place - 1 AS place, consents AS consent
       FROM unnest($1::text[]) WITH ORDINALITY AS asked (id, place) JOIN consents ON consent_id = id`,
      [given.map(({ access }) => access.consentId)],
    );
    await client.query(consentsSql(count, apart, given.length));
    for (const sql of dependentRows) await client.query(sql);
    const made = Array.from({ length: usable }, (_, place) => usableConsent(place * apart, place % given.length));
    for (let first = 0; first < usable; first += sealedAtOnce)
      await insertSealed(client, made.slice(first, first + sealedAtOnce), artefacts);
    await client.query('VACUUM ANALYZE');
    return made.map(({ consentId, refreshToken, like }) => {
      const { access, urls } = given[like] as GivenByJourney;
      return { urls, access: { ...access, consentId, refreshToken } };
    });
  });
}

const sha256 = (text: string): string => createHash('sha256').update(text).digest('base64url');

/** The ids as `idsSql` makes them. @param like the place of the consent that it copies */
function usableConsent(index: number, like: number) {
  const uuid = createHash('md5').update(`consent ${index}`).digest('hex');
  const consentId = `aac-${uuid.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')}`;
  return {
    consentId,
    authorisationId: `${sha256(`authorisation ${index}`)}.${consentId}`,
    refreshToken: sha256(`refresh token ${index}`),
    like,
  };
}

const base64url = (text: string): string => `translate(encode(sha256((${text})::bytea), 'base64'), '+/=', '-_')`;

/** As random as those of the gateway, so that consents of one hour are scattered over the index. */
const idsSql = `'consent_id', 'aac-' || md5('consent ' || index)::uuid,
  'authorisation_id', ${base64url(`'authorisation ' || index`)} || '.aac-' || md5('consent ' || index)::uuid`;

const times = `'created_at', created, 'status_updated_at', created, 'authorised_at', created`;

/** The members in which a consent that is not usable differs, by `kind`, its place among a hundred. */
const otherSql = `jsonb_build_object('client_id', 'tpp-' || index % 40, 'customer_ref', customer,
    'accounts', jsonb_build_array(jsonb_build_object('ref', customer || '-' || index % 3, 'product', 'PCA')))
  || CASE
    WHEN kind < 40 THEN jsonb_build_object('expires_text', to_char(present + interval '90 days', 'YYYY-MM-DD"T"HH24:MI:SS"Z"'),
      'expires_at_ms', ((extract(epoch FROM present) + 90 * 86400) * 1000)::bigint)
    WHEN kind < 80 THEN '{}'
    WHEN kind < 90 THEN jsonb_build_object('expires_text', to_char(ended, 'YYYY-MM-DD"T"HH24:MI:SS"Z"'),
      'expires_at_ms', (extract(epoch FROM ended) * 1000)::bigint)
    ELSE jsonb_build_object('status', 'cancelled', 'status_updated_at', ended, 'status_reason', 'bank-withdrew', 'authorisation_id', NULL)
  END`;

function consentsSql(count: number, apart: number, given: number): string {
  return `
    INSERT INTO consents
    SELECT copy.* FROM generate_series(0, ${count - 1}) AS index
    JOIN given ON given.place = index / ${apart} % ${given}
    CROSS JOIN LATERAL (SELECT index % 100 AS kind, 'customer-' || index * 2 / 3 AS customer,
      now() AT TIME ZONE 'UTC' AS present, abs(hashint4(index)) % 9600 * interval '1 hour' AS age) AS drawn
    CROSS JOIN LATERAL (SELECT present - age AS created, present - age / 2 AS ended) AS dated
    CROSS JOIN LATERAL jsonb_populate_record(given.consent, jsonb_build_object(${idsSql}, ${times})
      || CASE WHEN index % ${apart} = 0 THEN '{}' ELSE ${otherSql} END) AS copy
    ORDER BY created`;
}

const live = `status = 'authorised' AND deleted_at IS NULL
  AND (expires_at_ms IS NULL OR expires_at_ms > extract(epoch FROM now()) * 1000)`;

/** The rows of an open authorization server, of uses, and of limits. */
const dependentRows = [
  `INSERT INTO oidc_artefacts (key, model, payload, grant_id, expires_at)
   SELECT ${base64url("'token' || consent_id")}, kept.model, kept.payload, authorisation_id, kept.expires_at
   FROM consents, (SELECT * FROM oidc_artefacts WHERE model = 'RefreshToken' LIMIT 1) AS kept
   WHERE ${live} AND client_id LIKE 'tpp-%'`,
  `INSERT INTO consent_uses SELECT consent_id, GREATEST(created_at, now() AT TIME ZONE 'UTC' - interval '1 hour') FROM consents
   ON CONFLICT DO NOTHING`,
  `INSERT INTO limit_counts SELECT consent_id, sha || ' ' || resource,
     ARRAY(SELECT (extract(epoch FROM now()) * 1000)::bigint - hour * 3600000 FROM generate_series(1, 4) AS hour),
     now() AT TIME ZONE 'UTC'
   FROM consents, unnest(ARRAY['balances', 'transactions']) AS resource, ${base64url('consent_id')} AS sha
   WHERE ${live} AND hashtext(consent_id) % 3 = 0`,
];

/** The refresh tokens of the given consents, as the authorization server has them before it seals them. */
async function openedArtefacts(client: pg.Client, given: readonly GivenByJourney[]) {
  const opened = [];
  for (const { access } of given) {
    const { consentId, refreshToken = '' } = access;
    const { rows } = await client.query<{ authorisationId: string; payload: string }>(
      `SELECT authorisation_id AS "authorisationId", payload FROM consents
       JOIN oidc_artefacts ON grant_id = authorisation_id WHERE consent_id = $1 AND model = '${model}'`,
      [consentId],
    );
    const { authorisationId = '', payload = '' } = rows[0] ?? {};
    opened.push({ consentId, authorisationId, text: open(keyOf(model, refreshToken), model, payload) });
  }
  return opened;
}

/** Inserts the refresh token of each consent as the authorization server would. */
async function insertSealed(
  client: pg.Client,
  consents: readonly ReturnType<typeof usableConsent>[],
  artefacts: Awaited<ReturnType<typeof openedArtefacts>>,
): Promise<void> {
  const rows = consents.map(({ consentId, authorisationId, refreshToken, like }) => {
    const kept = artefacts[like] as (typeof artefacts)[number];
    const own = kept.text.replaceAll(kept.authorisationId, authorisationId).replaceAll(kept.consentId, consentId);
    const sealed = seal(keyOf(model, refreshToken), model, own);
    return [keyOfArtefact(model, refreshToken), sealed, authorisationId] as const;
  });
  await client.query(
    `INSERT INTO oidc_artefacts (key, model, payload, grant_id, expires_at)
     SELECT key, '${model}', payload, grant_id, (SELECT max(expires_at) FROM oidc_artefacts WHERE model = '${model}')
     FROM unnest($1::text[], $2::text[], $3::text[]) AS sealed (key, payload, grant_id)`,
    [0, 1, 2].map((column) => rows.map((row) => row[column])),
  );
}
