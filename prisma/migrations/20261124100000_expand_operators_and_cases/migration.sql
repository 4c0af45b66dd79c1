-- Operators with roles, the reasons of withdrawals, and the acts that wait for a second operator. The previous release reads
-- and writes none of these tables.

-- CreateTable
CREATE TABLE "operators" (
    "name" TEXT NOT NULL,
    "role" TEXT NOT NULL,
    "secret_digest" TEXT NOT NULL,
    "added_at" TIMESTAMP(3) NOT NULL,
    "added_by" TEXT NOT NULL,

    CONSTRAINT "operators_pkey" PRIMARY KEY ("name"),
    CONSTRAINT "operators_role_known" CHECK ("role" IN ('read', 'withdraw', 'operate', 'admin'))
);

-- A consent may be withdrawn again after its customer gave the access once more.
-- CreateTable
CREATE TABLE "consent_withdrawals" (
    "consent_id" TEXT NOT NULL,
    "withdrawn_at" TIMESTAMP(3) NOT NULL,
    "withdrawn_by" TEXT NOT NULL,
    "reason" TEXT NOT NULL,
    "text" TEXT,

    CONSTRAINT "consent_withdrawals_pkey" PRIMARY KEY ("consent_id", "withdrawn_at")
);

-- The withdrawal of all consents of a TPP changes no consent's row.
-- CreateTable
CREATE TABLE "tpp_withdrawals" (
    "issuer" TEXT NOT NULL,
    "client_id" TEXT NOT NULL,
    "withdrawn_at" TIMESTAMP(3) NOT NULL,
    "withdrawn_by" TEXT NOT NULL,
    "reason" TEXT NOT NULL,
    "text" TEXT,

    CONSTRAINT "tpp_withdrawals_pkey" PRIMARY KEY ("client_id", "issuer", "withdrawn_at")
);

-- A row goes when the proposal is approved, so that of two approvals one finds it.
-- CreateTable
CREATE TABLE "proposals" (
    "proposal_id" TEXT NOT NULL,
    "act" JSONB NOT NULL,
    "proposed_by" TEXT NOT NULL,
    "proposed_at" TIMESTAMP(3) NOT NULL,
    "lapses_at" TIMESTAMP(3) NOT NULL,

    CONSTRAINT "proposals_pkey" PRIMARY KEY ("proposal_id")
);

-- CreateIndex
CREATE INDEX "proposals_lapses_at_idx" ON "proposals"("lapses_at");

-- CreateIndex
CREATE INDEX "consents_accounts_idx" ON "consents" USING GIN ("accounts" jsonb_path_ops);

-- A TPP's consents are listed newest first, in pages.
-- DropIndex
DROP INDEX "consents_client_id_issuer_idx";

-- CreateIndex
CREATE INDEX "consents_client_id_issuer_created_at_consent_id_idx" ON "consents"("client_id", "issuer", "created_at" DESC, "consent_id" DESC);
