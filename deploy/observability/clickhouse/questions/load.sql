-- The load by TPP, by endpoint and by hour: which of them takes the gateway's time.
-- Parameters: from, to.
SELECT grouped.1 AS grouping, grouped.2 AS name, sum(number) AS requests, ifNull(sum(bytes), 0) AS bytes,
    trailRounded(ifNull(sum(lastByteMs), 0) / 1000, 3) AS seconds, trailRounded(quantileExactInclusive(0.95)(lastByteMs), 1) AS p95Ms,
    sumIf(number, status >= 400 AND status < 500) AS refused, sumIf(number, status >= 500) AS failed
FROM trail.requests(from = {from:DateTime64(3, 'UTC')}, to = {to:DateTime64(3, 'UTC')})
ARRAY JOIN
[
    ('tpp', ifNull(tpp, 'without a TPP')),
    ('endpoint', ifNull(endpoint, 'unknown')),
    ('hour', formatDateTime(at, '%Y-%m-%dT%H:00Z'))
] AS grouped
WHERE listener IN ('api', 'tpps')
GROUP BY grouped
ORDER BY grouping, if(grouping = 'hour', name, ''), seconds DESC, name;
