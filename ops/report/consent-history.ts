import { dayMs } from './period.js';

/** The events of a consent after which it gives access, and those after which it does not. */
const giving = `('authorised', 'reauthenticated')`;
const ending = `('rejected', 'revoked', 'deleted', 'abandoned', 'expired')`;

/** The standard body counts a consent of no longer term as one-off, and any other as long-lived. */
export const longestOneOffDays = 15;

/**
 * A SELECT of every consent with its first event, its term (`expires_ms`, NULL where it has none or its events are of a
 * release that did not state it), and whether it is one-off. One whose creation is no longer in the trail is long-lived.
 */
export const consentTerms = (atMs: string, text: (member: string) => string): string => `
  SELECT "consent", any_value("issuer") AS "issuer", any_value("tpp") AS "tpp", min(at_ms) AS first_ms, max(expires_ms) AS expires_ms,
    coalesce(max(expires_ms) - min(at_ms) FILTER ("event" = 'created') <= ${longestOneOffDays * dayMs}, false) AS one_off
  FROM (
    SELECT *, ${atMs} AS at_ms, epoch_ms(try_cast(${text('expires')} AS TIMESTAMP)) AS expires_ms
    FROM events WHERE "kind" = 'consent' AND "consent" IS NOT NULL
  ) GROUP BY "consent"`;

/**
 * A SELECT of the changes of consents, of all times. Two have no event of the consent: its expiry, which its events state
 * before, and the bank's measure against the TPP, which ends all its consents. They are here as `expired`, with the id of the
 * event that last gave the access, and as `revoked`, for each consent that gave access then. So each counts once, whatever processes ran.
 * - `gives`: whether the consent gives access after the change; NULL where the change does not decide it
 * - `gave`: whether it gave access before; NULL where the trail does not have an earlier change that decides it
 * - `place`: the number of the change among those of the consent
 */
export const consentHistory = (atMs: string): string => `
  WITH changes AS (
    SELECT "at", ${atMs} AS at_ms, "id", "consent", "issuer", "tpp", "event", "by", "reason", false AS is_derived
    FROM events WHERE "kind" = 'consent' AND "consent" IS NOT NULL
    UNION ALL BY NAME
    SELECT "at", ${atMs} AS at_ms, "id", consent_terms."consent", "issuer", "tpp", 'revoked' AS "event", "by", "reason", true AS is_derived
    FROM events JOIN consent_terms USING ("issuer", "tpp")
    WHERE events."kind" = 'tpp' AND events."event" = 'consents-revoked' AND ${atMs} >= first_ms
    UNION ALL BY NAME
    SELECT strftime(make_timestamp_ms(expires_ms), '%Y-%m-%dT%H:%M:%S.%gZ') AS "at", expires_ms AS at_ms, "consent", "issuer", "tpp",
      'expired' AS "event", 'gateway' AS "by", true AS is_derived
    FROM consent_terms WHERE first_ms < expires_ms
  ), effects AS (
    SELECT *, CASE WHEN "event" IN ${giving} THEN true WHEN "event" IN ${ending} THEN false END AS gives FROM changes
  )
  SELECT * EXCLUDE ("id"), CASE WHEN "event" = 'expired' THEN last_value(CASE WHEN gives THEN "id" END IGNORE NULLS) OVER before ELSE "id" END AS "id",
    last_value(gives IGNORE NULLS) OVER before AS gave, row_number() OVER in_time AS place
  FROM effects JOIN (SELECT "consent", one_off FROM consent_terms) USING ("consent")
  WINDOW in_time AS (PARTITION BY "consent" ORDER BY at_ms, gives IS NOT TRUE, "event" = 'expired'),
    before AS (PARTITION BY "consent" ORDER BY at_ms, gives IS NOT TRUE, "event" = 'expired' ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING)
  QUALIFY NOT is_derived OR gave`;

/** The number of long-lived consents that gave access just before an instant. */
export const outstandingBefore = (instantMs: number): string => `
  SELECT count(*) FILTER (gives)::DOUBLE AS number FROM (
    SELECT arg_max(gives, place) AS gives FROM consent_history WHERE at_ms < ${instantMs} AND NOT one_off GROUP BY "consent"
  )`;
