-- The load by TPP, by endpoint and by hour: which of them takes the gateway's time.
-- Parameters: from, to.
SELECT grouped.1 AS grouping, grouped.2 AS name, sum(number) AS requests, ifNull(sum(bytes), 0) AS bytes,
    round(ifNull(sum(lastByteMs), 0) / 1000, 3) AS seconds, round(quantileExactInclusive(0.95)(lastByteMs), 1) AS p95Ms,
    sumIf(number, status >= 400 AND status < 500) AS refused, sumIf(number, status >= 500) AS failed
FROM
(
    -- An event may be of several requests of callers who proved nothing: `count` has how many.
    SELECT *, ifNull(count, 1) AS number
    FROM trail.events FINAL
    WHERE kind = 'request' AND listener IN ('api', 'tpps')
        AND at >= {from:DateTime64(3, 'UTC')} AND at < {to:DateTime64(3, 'UTC')}
)
ARRAY JOIN
[
    ('tpp', ifNull(tpp, 'without a TPP')),
    ('endpoint', ifNull(endpoint, 'unknown')),
    ('hour', formatDateTime(at, '%Y-%m-%dT%H:00Z'))
] AS grouped
GROUP BY grouped
ORDER BY grouping, if(grouping = 'hour', name, ''), seconds DESC, name;
