-- The figures on requests of the whole interface, of each version and of each endpoint, under the names and by the rules of
-- `npm run report`. The version '' is the authorization server for TPPs.
-- Parameters: part, `hour` or `day`, or `all` for the whole time in one row; from, to, each the begin of a UTC day.
SELECT grouped.1 AS grouping, grouped.2 AS name,
    multiIf({part:String} = 'day', toString(toDate(at)), {part:String} = 'hour', formatDateTime(at, '%Y-%m-%dT%H:00Z'), 'all') AS part,
    sum(number) AS `requests`, sumIf(number, status < 400) AS `successful-requests`,
    sumIf(number, status BETWEEN 400 AND 498) AS `refused-requests`, sumIf(number, status >= 500) AS `failed-requests`,
    trailRounded(100 * `failed-requests` / `requests`, 4) AS `error-rate-percent`,
    trailRounded(avgIf(lastByteMs, timed), 1) AS `mean-ttlb-ms`,
    trailRounded(quantileExactInclusiveIf(0.5)(lastByteMs, timed), 1) AS `median-ttlb-ms`,
    trailRounded(quantileExactInclusiveIf(0.95)(lastByteMs, timed), 1) AS `p95-ttlb-ms`,
    trailRounded(quantileExactInclusiveIf(0.99)(lastByteMs, timed), 1) AS `p99-ttlb-ms`,
    trailRounded(avgIf(firstByteMs, timed), 1) AS `mean-ttfb-ms`,
    uniqExactIf((issuer, tpp), tpp IS NOT NULL) AS `distinct-tpps`, sumIf(number, NOT attended) AS `unattended-requests`
FROM (SELECT *, status <> 499 AND lastByteMs IS NOT NULL AS timed
    FROM trail.counted(from = {from:DateTime64(3, 'UTC')}, to = {to:DateTime64(3, 'UTC')}))
ARRAY JOIN [('all', ''), ('version', version), ('endpoint', concat(version, ' ', assumeNotNull(endpoint)))] AS grouped
GROUP BY grouped, part
ORDER BY grouping, name, part;
