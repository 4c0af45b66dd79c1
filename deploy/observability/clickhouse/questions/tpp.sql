-- The requests of a TPP by endpoint and outcome, the most frequent first.
-- Parameters: tpp, its client id; from, to.
SELECT issuer, ifNull(endpoint, 'unknown') AS endpoint, status, refusedBy, reason, count() AS requests, min(at) AS first, max(at) AS last,
    argMax(id, (at, id)) AS latestId
FROM trail.requests(from = {from:DateTime64(3, 'UTC')}, to = {to:DateTime64(3, 'UTC')})
WHERE tpp = {tpp:String} AND listener IN ('api', 'tpps')
GROUP BY issuer, endpoint, status, refusedBy, reason
ORDER BY requests DESC, endpoint, status;
