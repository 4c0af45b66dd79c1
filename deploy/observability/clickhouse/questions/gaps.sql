-- The segments of which events have not arrived: the numbers of the events of a segment have no gap. It misses events at the end
-- of a segment, and segments of which none has arrived. To mend it, stop the agent of the machine, remove its storage, and start it:
-- it sends all that it still has, and what is here already stays one row.
SELECT segment, max(seq) AS events, events - uniqExact(seq) AS missing
FROM trail.events
GROUP BY segment
HAVING missing > 0
ORDER BY segment;
