-- CreateTable: the newest times at which a TPP read without the customer, as many as the limit asks for. No trigger: a count is
-- no change of a consent.
CREATE TABLE "unattended_reads" (
    "consent_id" TEXT NOT NULL,
    "resource" TEXT NOT NULL,
    "at_ms" BIGINT[] NOT NULL,
    "newest_at" TIMESTAMP(3) NOT NULL,

    CONSTRAINT "unattended_reads_pkey" PRIMARY KEY ("consent_id", "resource")
);

-- CreateIndex
CREATE INDEX "unattended_reads_newest_at_idx" ON "unattended_reads"("newest_at");
