-- The logos of TPPs as they were fetched, to be shown from our own origin
CREATE TABLE "tpp_logos" (
    "client_id" TEXT NOT NULL,
    "url" TEXT NOT NULL,
    "tried_at" TIMESTAMP(3) NOT NULL,
    "digest" TEXT,
    "content_type" TEXT,
    "body" BYTEA,

    CONSTRAINT "tpp_logos_pkey" PRIMARY KEY ("client_id"),
    CONSTRAINT "tpp_logos_whole" CHECK (
        ("digest" IS NULL) = ("content_type" IS NULL) AND ("digest" IS NULL) = ("body" IS NULL)
    )
);

-- CreateIndex
CREATE INDEX "tpp_logos_digest_idx" ON "tpp_logos"("digest");
