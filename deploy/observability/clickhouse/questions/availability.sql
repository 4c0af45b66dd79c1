-- The figures of each day on availability, under the names and by the rules of `npm run report`. The roots of segments are not here:
-- a day of which the trail dropped or lost events counts as a day without events, or as if they had never been. Ask gaps.sql.
-- Parameters: from, to, each the begin of a UTC day.
WITH
    86400000 AS day_ms,
    9000000000000000 AS end_of_time_ms,
    days AS
    (
        SELECT toDate({from:DateTime64(3, 'UTC')}) + number AS day, toUnixTimestamp64Milli({from:DateTime64(3, 'UTC')}) + number * day_ms AS begin_ms,
            begin_ms + day_ms AS end_ms
        FROM numbers(toUInt64(dateDiff('day', {from:DateTime64(3, 'UTC')}, {to:DateTime64(3, 'UTC')})))
    ),
    bounds AS (SELECT min(begin_ms) AS first_ms, max(end_ms) AS last_ms, count() AS processes FROM trail.seen),
    intervals AS
    (
        -- A downtime may begin before the first day, or end after the last.
        SELECT 'down' AS name, begin_ms, end_ms
        FROM trail.down(from = {from:DateTime64(3, 'UTC')} - INTERVAL 1 DAY, to = {to:DateTime64(3, 'UTC')} + INTERVAL 1 DAY)
        UNION ALL
        -- An outage is planned from the moment at which it was stated, up to its end or removal.
        SELECT 'planned', greatest(min(begin), minIf(at_ms, event = 'stated')),
            least(min(end), ifNull(minOrNullIf(at_ms, event = 'removed'), end_of_time_ms))
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
    parts AS
    (
        SELECT day, name, assumeNotNull(greatest(intervals.begin_ms, days.begin_ms)) AS begin_ms,
            assumeNotNull(least(intervals.end_ms, days.end_ms)) AS end_ms
        FROM days CROSS JOIN intervals
        WHERE begin_ms < end_ms
    ),
    -- The length of each union of intervals; the lengths of their common parts follow from those.
    lengths AS
    (
        SELECT day,
            intervalLengthSumIf(begin_ms, end_ms, name = 'unknown') AS unknown_ms,
            intervalLengthSumIf(begin_ms, end_ms, name IN ('down', 'unknown')) AS down_or_unknown_ms,
            intervalLengthSumIf(begin_ms, end_ms, name IN ('planned', 'unknown')) AS planned_or_unknown_ms,
            intervalLengthSum(begin_ms, end_ms) AS any_ms
        FROM parts
        GROUP BY day
    ),
    measured AS
    (
        SELECT day, day_ms - unknown_ms AS known_ms, down_or_unknown_ms - unknown_ms AS down_ms,
            down_or_unknown_ms + planned_or_unknown_ms - unknown_ms - any_ms AS planned_ms
        FROM days LEFT JOIN lengths USING (day)
    )
SELECT day,
    if(known_ms > 0, trailRounded(100 - 100 * down_ms / known_ms, 4), NULL) AS `uptime-percent`,
    if(known_ms > 0, trailRounded(100 * down_ms / known_ms, 4), NULL) AS `downtime-percent`,
    if(known_ms > 0, (known_ms - down_ms) / 1000, NULL) AS `uptime-seconds`,
    if(known_ms > 0, planned_ms / 1000, NULL) AS `planned-downtime-seconds`,
    if(known_ms > 0, (down_ms - planned_ms) / 1000, NULL) AS `unplanned-downtime-seconds`,
    known_ms / 1000 AS `covered-seconds`
FROM measured
ORDER BY day;
