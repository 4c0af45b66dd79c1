-- What several questions share. A time is from an instant to another that does not belong to it, in UTC.

-- Halves go up, as in the reports; ClickHouse's own function rounds them to the even digit.
CREATE OR REPLACE FUNCTION trailRounded AS (value, places) -> floor(value * intExp10(places) + 0.5) / intExp10(places);

-- An event may be of several requests of callers who proved nothing: `number` has how many.
CREATE OR REPLACE VIEW trail.requests AS
SELECT * EXCEPT line, ifNull(count, 1) AS number FROM trail.events FINAL
WHERE kind = 'request' AND at >= {from:DateTime64(3, 'UTC')} AND at < {to:DateTime64(3, 'UTC')};

-- The requests that count for availability, by the rules that each report of `npm run report` states.
CREATE OR REPLACE VIEW trail.counted AS
SELECT *, toUnixTimestamp64Milli(at) AS at_ms, ifNull(apiVersion, '') AS version,
    status >= 500 OR (status = 499 AND ifNull(lastByteMs, 0) >= 10000) AS unanswered
FROM trail.requests(from = {from:DateTime64(3, 'UTC')}, to = {to:DateTime64(3, 'UTC')})
WHERE listener IN ('api', 'tpps') AND status IS NOT NULL
    AND (endpoint LIKE '/as/%' OR (endpoint IS NOT NULL AND apiVersion IS NOT NULL));

-- The same, each once for every scope that it is of: the whole interface (''), its version (`v3.1`) and its endpoint (`v3.1 balances`).
CREATE OR REPLACE VIEW trail.scoped AS
SELECT scope, at_ms, segment, seq, status, unanswered
FROM trail.counted(from = {from:DateTime64(3, 'UTC')}, to = {to:DateTime64(3, 'UTC')})
ARRAY JOIN if(version = '', [''], ['', version, concat(version, ' ', endpoint)]) AS scope;

CREATE OR REPLACE VIEW trail.scopes AS
SELECT DISTINCT scope FROM trail.scoped(from = {from:DateTime64(3, 'UTC')}, to = {to:DateTime64(3, 'UTC')})
UNION DISTINCT
SELECT '' AS scope;

-- The time of which each run of a process left events.
CREATE OR REPLACE VIEW trail.seen AS
SELECT instance, min(runs.begin_ms) AS begin_ms, max(runs.end_ms) AS end_ms FROM trail.runs GROUP BY instance;

-- The times of more than 30 seconds in which no process ran.
CREATE OR REPLACE VIEW trail.silences AS
SELECT seen_until_ms AS begin_ms, next_ms AS end_ms
FROM
(
    SELECT max(end_ms) OVER (ORDER BY begin_ms, end_ms ROWS UNBOUNDED PRECEDING) AS seen_until_ms,
        leadInFrame(begin_ms) OVER (ORDER BY begin_ms, end_ms ROWS BETWEEN CURRENT ROW AND UNBOUNDED FOLLOWING) AS next_ms
    FROM trail.seen
)
WHERE next_ms - seen_until_ms > 30000;

-- The times in milliseconds since 1970 in which a scope was down: for five unanswered requests in a row, all received within
-- 30 seconds, up to the next answer; or because no process ran for more than 30 seconds. They may overlap.
CREATE OR REPLACE VIEW trail.down AS
WITH
    -- `run` is the number of the answered requests before: those of an unbroken row of unanswered ones have the same.
    numbered AS
    (
        SELECT scope, at_ms, segment, seq, unanswered, countIf(NOT unanswered) OVER by_time AS run
        FROM trail.scoped(from = {from:DateTime64(3, 'UTC')}, to = {to:DateTime64(3, 'UTC')})
        WHERE unanswered OR status <> 499
        WINDOW by_time AS (PARTITION BY scope ORDER BY at_ms, segment, seq ROWS UNBOUNDED PRECEDING)
    ),
    rows_of_five AS
    (
        SELECT scope, run, at_ms, leadInFrame(at_ms, 4, 9000000000000000) OVER in_row AS fifth_ms
        FROM numbered
        WHERE unanswered
        WINDOW in_row AS (PARTITION BY scope, run ORDER BY at_ms, segment, seq ROWS BETWEEN CURRENT ROW AND UNBOUNDED FOLLOWING)
    ),
    begun AS
    (
        SELECT scope, run + 1 AS run, min(at_ms) AS begin_ms FROM rows_of_five WHERE fifth_ms - at_ms <= 30000 GROUP BY scope, run
    ),
    answered AS (SELECT scope, run, toNullable(at_ms) AS end_ms FROM numbered WHERE NOT unanswered)
SELECT scope, begin_ms, ifNull(end_ms, 9000000000000000) AS end_ms FROM begun LEFT JOIN answered USING (scope, run)
UNION ALL
SELECT scope, begin_ms, end_ms FROM trail.silences
CROSS JOIN trail.scopes(from = {from:DateTime64(3, 'UTC')}, to = {to:DateTime64(3, 'UTC')}) AS scopes;
