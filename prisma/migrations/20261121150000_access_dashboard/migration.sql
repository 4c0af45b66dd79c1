-- When and by whom an access was given, refused and ended: what the customer's access dashboard tells.
ALTER TABLE "consents"
    ADD COLUMN "authorised_at" TIMESTAMP(3),
    ADD COLUMN "access_ended_at" TIMESTAMP(3),
    ADD COLUMN "access_ended_by" TEXT,
    ADD COLUMN "rejected_by" TEXT;

-- Of a revoked consent nobody wrote down when it was authorised; and none could be revoked but through the bank's API.
UPDATE "consents" SET "authorised_at" = "status_updated_at" WHERE "status" = 'Authorised';
UPDATE "consents" SET "authorised_at" = "created_at", "access_ended_at" = "status_updated_at", "access_ended_by" = 'bank'
    WHERE "status" = 'Revoked';

-- Nothing here refuses what a gateway of the version before writes, which may still run beside this one: above all it must
-- be able to revoke.
ALTER TABLE "consents"
    ADD CONSTRAINT "consents_access_ended_whole" CHECK (("access_ended_at" IS NULL) = ("access_ended_by" IS NULL)),
    ADD CONSTRAINT "consents_access_ended_by_known" CHECK ("access_ended_by" IN ('customer', 'bank')),
    -- An ended access leaves no token good.
    ADD CONSTRAINT "consents_access_ended_of_authorised" CHECK (
        CASE "status"
            WHEN 'Revoked' THEN TRUE
            WHEN 'Authorised' THEN "access_ended_at" IS NULL
                OR ("authorisation_id" IS NULL AND "next_authorisation_id" IS NULL)
            ELSE "access_ended_at" IS NULL
        END
    ),
    ADD CONSTRAINT "consents_rejected_by_of_rejected" CHECK ("rejected_by" IS NULL OR "status" = 'Rejected');

-- CreateIndex
CREATE INDEX "consents_rejected_by_idx" ON "consents"("rejected_by");

-- CreateTable: beside the consents and without a trigger, so that a use is no change of a consent.
CREATE TABLE "consent_uses" (
    "consent_id" TEXT NOT NULL,
    "last_used_at" TIMESTAMP(3) NOT NULL,

    CONSTRAINT "consent_uses_pkey" PRIMARY KEY ("consent_id")
);
