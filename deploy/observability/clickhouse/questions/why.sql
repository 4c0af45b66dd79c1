-- Each event with an interaction id, or with the id of an error that a TPP received: how it ended, and all that it knows.
-- Parameter: id.
SELECT at, instance, kind, listener, endpoint, issuer, tpp, consent, status, refusedBy, reason, coreFault, lastByteMs, line
FROM trail.events FINAL
WHERE id IN ({id:String}, lower({id:String})) OR interactionId IN ({id:String}, lower({id:String})) OR errorId = lower({id:String})
ORDER BY at, instance, seq;
