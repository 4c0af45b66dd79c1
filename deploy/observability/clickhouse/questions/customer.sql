-- Who read a customer's data: the requests by TPP, consent and endpoint.
-- Parameters: pseudonyms, as `npm run ops -- trail customer REF` prints them: ['kid.…', 'kid.…']; from, to.
SELECT tpp, issuer, consent, endpoint, countIf(status < 400) AS answered, countIf(status < 400 AND attended) AS attendedAnswers,
    count() - answered AS refused, min(at) AS first, max(at) AS last
FROM trail.events FINAL
WHERE kind = 'request' AND customer IN {pseudonyms:Array(String)}
    AND at >= {from:DateTime64(3, 'UTC')} AND at < {to:DateTime64(3, 'UTC')}
GROUP BY tpp, issuer, consent, endpoint
ORDER BY first, endpoint;
