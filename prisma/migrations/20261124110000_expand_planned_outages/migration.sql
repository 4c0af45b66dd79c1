-- The outages that the bank has planned, stated to TPPs before they begin.

-- CreateTable
CREATE TABLE "planned_outages" (
    "outage_id" TEXT NOT NULL,
    "from_at" TIMESTAMP(3) NOT NULL,
    "to_at" TIMESTAMP(3) NOT NULL,
    "text" TEXT NOT NULL,
    "stated_at" TIMESTAMP(3) NOT NULL,

    CONSTRAINT "planned_outages_pkey" PRIMARY KEY ("outage_id"),
    CONSTRAINT "planned_outages_in_order" CHECK ("from_at" < "to_at"),
    -- Also of two that are stated at the same moment, one is refused.
    CONSTRAINT "planned_outages_apart" EXCLUDE USING gist (tsrange("from_at", "to_at") WITH &&)
);

-- CreateIndex
CREATE INDEX "planned_outages_to_at_idx" ON "planned_outages"("to_at");
