-- The segments of which events have not arrived: the numbers of the events of a segment have no gap. It misses events at the end
-- of a segment, and segments of which none has arrived. To mend it, stop the agent of the machine, remove its storage, and start it
-- with a COLLECTOR_OLDEST that reaches back to the segment: it sends all events again, and those that are here stay one row each.
SELECT segment, max(seq) AS events, events - uniqExact(seq) AS missing
FROM trail.events
GROUP BY segment
HAVING missing > 0
ORDER BY segment;
