-- Deletes the days that the trail deletes: with the days of TRAIL_RETENTION_DAYS, which count from the end of a day.
-- Parameter: days.
ALTER TABLE trail.events MODIFY TTL toDate(at) + toIntervalDay({days:UInt16} + 1);
