/** The events of a consent after which it gives access, and those after which it does not. */
const giving = `('authorised', 'reauthenticated')`;
const ending = `('rejected', 'revoked', 'access-ended', 'deleted', 'lapsed')`;

/**
 * A SELECT of the times in which consents gave access: a row from each event that gave it to the next that gave or ended it, or to a
 * measure against the TPP (`cut_ms`, NULL where there is no such event). A consent that expires leaves no event: its events
 * have the instant (`expires_ms`, NULL where it has no term or its events are of a release that did not state it). So each
 * expiry counts once, whatever processes ran then.
 */
export const consentLives = (atMs: string, text: (member: string) => string): string => `
  WITH changes AS (
    SELECT "consent", "issuer", "tpp", "id", "event", ${atMs} AS at_ms,
      max(epoch_ms(try_cast(${text('expires')} AS TIMESTAMP))) OVER (PARTITION BY "consent") AS expires_ms
    FROM events WHERE "kind" = 'consent' AND "consent" IS NOT NULL
  ), deciding AS (
    SELECT *, lead(at_ms) OVER (PARTITION BY "consent" ORDER BY at_ms, "event" IN ${ending}) AS next_ms
    FROM changes WHERE "event" IN ${giving} OR "event" IN ${ending}
  ), measures AS (
    SELECT "issuer", "tpp", ${atMs} AS at_ms FROM events WHERE "kind" = 'tpp' AND "event" = 'consents-revoked'
  )
  SELECT "consent", life."issuer", life."tpp", any_value(life."id") AS "id", life.at_ms AS begin_ms, any_value(expires_ms) AS expires_ms,
    least(any_value(next_ms), min(measures.at_ms)) AS cut_ms
  FROM deciding life LEFT JOIN measures
    ON measures."issuer" = life."issuer" AND measures."tpp" = life."tpp" AND measures.at_ms >= life.at_ms
  WHERE "event" IN ${giving} GROUP BY "consent", life."issuer", life."tpp", life.at_ms`;

/** A SELECT of the expiries of consents that still gave access: each in the form of an event. */
export const expiries = `
  SELECT strftime(make_timestamp_ms(expires_ms), '%Y-%m-%dT%H:%M:%S.%gZ') AS "at", expires_ms AS at_ms, "id", "consent", "issuer", "tpp",
    'expired' AS "event", 'gateway' AS actor
  FROM consent_lives WHERE begin_ms < expires_ms AND (cut_ms IS NULL OR expires_ms < cut_ms)`;

/** The number of consents that gave access just before an instant. */
export const outstandingBefore = (instantMs: number): string => `
  SELECT count(DISTINCT "consent")::DOUBLE AS number FROM consent_lives
  WHERE begin_ms < ${instantMs} AND (cut_ms IS NULL OR cut_ms >= ${instantMs}) AND (expires_ms IS NULL OR expires_ms >= ${instantMs})`;
