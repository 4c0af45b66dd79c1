-- The changes of the interface that the bank announces to TPPs before they take effect.

-- CreateTable
CREATE TABLE "announced_changes" (
    "change_id" TEXT NOT NULL,
    "from_at" TIMESTAMP(3) NOT NULL,
    "kind" TEXT NOT NULL,
    "text" TEXT NOT NULL,
    "link" TEXT,
    "announced_at" TIMESTAMP(3) NOT NULL,

    CONSTRAINT "announced_changes_pkey" PRIMARY KEY ("change_id")
);

-- CreateIndex
CREATE INDEX "announced_changes_from_at_idx" ON "announced_changes"("from_at");
