-- TPPs that registered themselves by a software statement
ALTER TABLE "tpps"
    ADD COLUMN "software_id" TEXT,
    ADD COLUMN "organisation_id" TEXT,
    ADD COLUMN "statement" TEXT,
    ADD COLUMN "statement_expires_at" TIMESTAMP(3),
    ADD COLUMN "withdrawn_at" TIMESTAMP(3),
    ADD COLUMN "checked_at" TIMESTAMP(3),
    DROP CONSTRAINT "tpps_status_known",
    ADD CONSTRAINT "tpps_status_known" CHECK ("status" IN ('active', 'suspended', 'deleted')),
    ADD CONSTRAINT "tpps_software_whole" CHECK (
        ("software_id" IS NULL) = ("statement" IS NULL) AND
        ("software_id" IS NULL) = ("organisation_id" IS NULL) AND
        ("software_id" IS NULL) = ("checked_at" IS NULL) AND
        ("software_id" IS NOT NULL OR ("statement_expires_at" IS NULL AND "withdrawn_at" IS NULL))
    );

-- CreateIndex
CREATE UNIQUE INDEX "tpps_software_id_key" ON "tpps"("software_id");

-- CreateIndex
CREATE INDEX "tpps_checked_at_idx" ON "tpps"("checked_at");
