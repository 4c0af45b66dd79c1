-- The consents of a customer, ended and deleted ones too: each change. A consent has no customer before its authorisation, so its
-- changes are found by its id, at whatever time.
-- Parameter: pseudonyms, as `npm run trail -- customer REF` prints them: ['kid.…', 'kid.…'].
SELECT consent, issuer, tpp, at, event, by, reason, JSONExtract(line, 'permissions', 'Array(String)') AS permissions
FROM trail.events FINAL
WHERE kind = 'consent' AND consent IN (SELECT consent FROM trail.events WHERE customer IN {pseudonyms:Array(String)})
ORDER BY consent, at, instance, seq;
