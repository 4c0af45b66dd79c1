-- Each event with an interaction id, or with the id of an error that a TPP received: how it ended, and all that it knows.
-- Parameter: id.
SELECT at, instance, kind, listener, endpoint, issuer, tpp, consent, status, refusedBy, reason, coreFault, lastByteMs, line
FROM trail.events FINAL
WHERE id = {id:String} OR interactionId = {id:String} OR errorId = {id:String}
ORDER BY at, instance, seq;
