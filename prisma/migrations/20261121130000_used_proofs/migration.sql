-- CreateTable
CREATE TABLE "used_proofs" (
    "proof_id" TEXT NOT NULL,
    "expires_at" TIMESTAMP(3) NOT NULL,

    CONSTRAINT "used_proofs_pkey" PRIMARY KEY ("proof_id")
);

-- CreateIndex
CREATE INDEX "used_proofs_expires_at_idx" ON "used_proofs"("expires_at");
