-- Consents that nobody authorised in time are removed once a minute. Only those that still wait are in this index, so that
-- a sweep with nothing to do costs nothing however many consents there are. Prisma's schema cannot say the condition.
CREATE INDEX "consents_status_created_at_idx" ON "consents"("status", "created_at")
    WHERE "status" = 'AwaitingAuthorisation';
