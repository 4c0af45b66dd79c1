-- A journey lies under the hash of its cookie, which is another one after each step that changes who is signed in. Journeys
-- of a gateway of the version before, which may still run beside this one, have none of these columns.
ALTER TABLE "customer_journeys"
    ADD COLUMN "request_key" TEXT,
    ADD COLUMN "artefact_key" TEXT,
    ADD COLUMN "previous_key" TEXT,
    ADD COLUMN "handover" TEXT;

-- CreateIndex: of one authorization request one journey lives.
CREATE UNIQUE INDEX "customer_journeys_request_key_key" ON "customer_journeys"("request_key");

-- CreateIndex
CREATE INDEX "customer_journeys_previous_key_idx" ON "customer_journeys"("previous_key");
