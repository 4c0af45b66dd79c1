-- CreateTable
CREATE TABLE "consents" (
    "consent_id" TEXT NOT NULL,
    "tpp_id" TEXT NOT NULL,
    "permissions" TEXT[] NOT NULL,
    "status" TEXT NOT NULL,
    "created_at" TIMESTAMP(3) NOT NULL,
    "status_updated_at" TIMESTAMP(3) NOT NULL,
    "expires_text" TEXT,
    "expires_at_ms" BIGINT,
    "transactions_from_text" TEXT,
    "transactions_from_at_ms" BIGINT,
    "transactions_to_text" TEXT,
    "transactions_to_at_ms" BIGINT,
    "customer_ref" TEXT,
    "display_name" TEXT,
    "accounts" JSONB,
    "last_authenticated_at" TIMESTAMP(3),
    "deleted_at" TIMESTAMP(3),

    CONSTRAINT "consents_pkey" PRIMARY KEY ("consent_id"),

    CONSTRAINT "consents_permissions_given" CHECK (cardinality("permissions") > 0),
    CONSTRAINT "consents_status_known" CHECK ("status" IN ('AwaitingAuthorisation', 'Authorised', 'Rejected', 'Revoked')),
    -- A stated date-time is its text and its instant, or neither.
    CONSTRAINT "consents_expires_whole" CHECK (("expires_text" IS NULL) = ("expires_at_ms" IS NULL)),
    CONSTRAINT "consents_transactions_from_whole" CHECK (("transactions_from_text" IS NULL) = ("transactions_from_at_ms" IS NULL)),
    CONSTRAINT "consents_transactions_to_whole" CHECK (("transactions_to_text" IS NULL) = ("transactions_to_at_ms" IS NULL)),
    -- Authorised and revoked consents carry the whole authorisation, the others nothing of it.
    CONSTRAINT "consents_authorisation_whole" CHECK (
        CASE WHEN "status" IN ('Authorised', 'Revoked')
            THEN "customer_ref" IS NOT NULL AND "accounts" IS NOT NULL AND "last_authenticated_at" IS NOT NULL
            ELSE "customer_ref" IS NULL AND "display_name" IS NULL AND "accounts" IS NULL AND "last_authenticated_at" IS NULL
        END
    )
);

-- CreateIndex
CREATE INDEX "consents_customer_ref_created_at_idx" ON "consents"("customer_ref", "created_at" DESC);

-- Every process keeps consents in memory and drops one as soon as it hears its id here. A notification is sent when its
-- transaction commits, so whoever hears it and asks again reads the change.
CREATE FUNCTION "notify_consent_changed"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM pg_notify('consent_changed', OLD."consent_id");
    RETURN NULL;
END;
$$;

CREATE TRIGGER "consents_notify_changed"
    AFTER UPDATE OR DELETE ON "consents"
    FOR EACH ROW EXECUTE FUNCTION "notify_consent_changed"();
