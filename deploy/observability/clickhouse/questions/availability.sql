-- The figures on availability of the whole interface, of each version and of each endpoint, under the names and by the rules of
-- `npm run report`. The roots of segments are not here: a day of which the trail dropped or lost events counts as a day without
-- events, or as if they had never been. Ask gaps.sql.
-- Parameters: part, `hour` or `day`, or `all` for the whole time in one row; from, to, each the begin of a UTC day.
WITH
    86400000 AS day_ms,
    9000000000000000 AS end_of_time_ms,
    toUnixTimestamp64Milli({from:DateTime64(3, 'UTC')}) AS from_ms,
    toUnixTimestamp64Milli({to:DateTime64(3, 'UTC')}) AS to_ms,
    multiIf({part:String} = 'day', day_ms, {part:String} = 'hour', 3600000, to_ms - from_ms) AS part_ms,
    days AS
    (
        SELECT toDate({from:DateTime64(3, 'UTC')}) + number AS day, from_ms + number * day_ms AS begin_ms, begin_ms + day_ms AS end_ms
        FROM numbers(toUInt64(intDiv(to_ms - from_ms, day_ms)))
    ),
    bounds AS (SELECT min(begin_ms) AS first_ms, max(end_ms) AS last_ms, count() AS processes FROM trail.seen),
    scopes AS (SELECT scope FROM trail.scopes(from = {from:DateTime64(3, 'UTC')} - INTERVAL 1 DAY, to = {to:DateTime64(3, 'UTC')} + INTERVAL 1 DAY)),
    of_every_scope AS
    (
        -- An outage is planned from the moment at which it was stated, up to its end or removal.
        SELECT 'planned' AS name, greatest(min(begin), minIf(at_ms, event = 'stated')) AS begin_ms,
            least(min(end), ifNull(minOrNullIf(at_ms, event = 'removed'), end_of_time_ms)) AS end_ms
        FROM
        (
            SELECT JSONExtractString(line, 'outage') AS outage, event, toUnixTimestamp64Milli(at) AS at_ms,
                toUnixTimestamp64Milli(parseDateTime64BestEffortOrNull(JSONExtractString(line, 'from'), 3, 'UTC')) AS begin,
                toUnixTimestamp64Milli(parseDateTime64BestEffortOrNull(JSONExtractString(line, 'to'), 3, 'UTC')) AS end
            FROM trail.events FINAL
            WHERE kind = 'outage'
        )
        WHERE begin < end
        GROUP BY outage
        HAVING countIf(event = 'stated') > 0
        UNION ALL
        -- The trail does not cover the time before its first and after its last event, a day without events, and a silence that
        -- has such a day.
        SELECT 'unknown', -end_of_time_ms, if(processes = 0, end_of_time_ms, first_ms) FROM bounds
        UNION ALL
        SELECT 'unknown', last_ms, end_of_time_ms FROM bounds
        UNION ALL
        SELECT 'unknown', begin_ms, end_ms FROM days WHERE day NOT IN (SELECT runs.day FROM trail.runs)
        UNION ALL
        SELECT 'unknown', begin_ms, end_ms FROM trail.silences WHERE intDiv(begin_ms + day_ms - 1, day_ms) * day_ms + day_ms <= end_ms
    ),
    intervals AS
    (
        -- A downtime may begin before the first day, or end after the last.
        SELECT scope, 'down' AS name, begin_ms, end_ms
        FROM trail.down(from = {from:DateTime64(3, 'UTC')} - INTERVAL 1 DAY, to = {to:DateTime64(3, 'UTC')} + INTERVAL 1 DAY)
        UNION ALL
        SELECT scope, name, begin_ms, end_ms FROM of_every_scope CROSS JOIN scopes
    ),
    parts AS
    (
        SELECT scope, from_ms + number * part_ms AS begin_ms, begin_ms + part_ms AS end_ms
        FROM numbers(toUInt64(intDiv(to_ms - from_ms, part_ms))) AS numbers CROSS JOIN scopes
    ),
    pieces AS
    (
        SELECT scope, parts.begin_ms AS part_begin_ms, name, assumeNotNull(greatest(intervals.begin_ms, parts.begin_ms)) AS begin_ms,
            assumeNotNull(least(intervals.end_ms, parts.end_ms)) AS end_ms
        FROM parts JOIN intervals USING (scope)
        WHERE begin_ms < end_ms
    ),
    -- The length of each union of intervals; the lengths of their common parts follow from those.
    lengths AS
    (
        SELECT scope, part_begin_ms,
            intervalLengthSumIf(begin_ms, end_ms, name = 'unknown') AS unknown_ms,
            intervalLengthSumIf(begin_ms, end_ms, name IN ('down', 'unknown')) AS down_or_unknown_ms,
            intervalLengthSumIf(begin_ms, end_ms, name IN ('planned', 'unknown')) AS planned_or_unknown_ms,
            intervalLengthSum(begin_ms, end_ms) AS any_ms
        FROM pieces
        GROUP BY scope, part_begin_ms
    ),
    measured AS
    (
        SELECT scope, parts.begin_ms AS begin_ms, part_ms - unknown_ms AS known_ms, down_or_unknown_ms - unknown_ms AS down_ms,
            down_or_unknown_ms + planned_or_unknown_ms - unknown_ms - any_ms AS planned_ms
        FROM parts LEFT JOIN lengths ON lengths.scope = parts.scope AND lengths.part_begin_ms = parts.begin_ms
    )
SELECT multiIf(scope = '', 'all', position(scope, ' ') = 0, 'version', 'endpoint') AS grouping, scope AS name,
    multiIf({part:String} = 'day', toString(toDate(begin)), {part:String} = 'hour', formatDateTime(begin, '%Y-%m-%dT%H:00Z'), 'all') AS part,
    if(known_ms > 0, trailRounded(100 - 100 * down_ms / known_ms, 4), NULL) AS `uptime-percent`,
    if(known_ms > 0, trailRounded(100 * down_ms / known_ms, 4), NULL) AS `downtime-percent`,
    if(known_ms > 0, (known_ms - down_ms) / 1000, NULL) AS `uptime-seconds`,
    if(known_ms > 0, planned_ms / 1000, NULL) AS `planned-downtime-seconds`,
    if(known_ms > 0, (down_ms - planned_ms) / 1000, NULL) AS `unplanned-downtime-seconds`,
    known_ms / 1000 AS `covered-seconds`
FROM (SELECT *, fromUnixTimestamp64Milli(begin_ms, 'UTC') AS begin FROM measured)
ORDER BY grouping, name, part;
