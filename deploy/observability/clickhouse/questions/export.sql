-- The events of a time as they are in their segments, one line each.
-- Parameters: from, to.
SELECT line
FROM trail.events FINAL
WHERE at >= {from:DateTime64(3, 'UTC')} AND at < {to:DateTime64(3, 'UTC')}
ORDER BY at, instance, seq
FORMAT LineAsString;
