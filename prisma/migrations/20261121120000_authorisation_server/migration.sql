-- The authorisations of the embedded authorization server
ALTER TABLE "consents"
    ADD COLUMN "authorisation_id" TEXT,
    ADD COLUMN "next_authorisation_id" TEXT,
    ADD CONSTRAINT "consents_authorisation_ids_of_authorised" CHECK (
        "customer_ref" IS NOT NULL OR ("authorisation_id" IS NULL AND "next_authorisation_id" IS NULL)
    );

-- CreateIndex
CREATE UNIQUE INDEX "consents_authorisation_id_key" ON "consents"("authorisation_id");

-- CreateTable
CREATE TABLE "oidc_artefacts" (
    "key" TEXT NOT NULL,
    "model" TEXT NOT NULL,
    "payload" TEXT NOT NULL,
    "grant_id" TEXT,
    "expires_at" TIMESTAMP(3) NOT NULL,
    "consumed_at" TIMESTAMP(3),

    CONSTRAINT "oidc_artefacts_pkey" PRIMARY KEY ("key")
);

-- CreateIndex
CREATE INDEX "oidc_artefacts_grant_id_idx" ON "oidc_artefacts"("grant_id");

-- CreateIndex
CREATE INDEX "oidc_artefacts_expires_at_idx" ON "oidc_artefacts"("expires_at");

-- CreateTable
CREATE TABLE "customer_journeys" (
    "key" TEXT NOT NULL,
    "version" INTEGER NOT NULL,
    "state" TEXT NOT NULL,
    "expires_at" TIMESTAMP(3) NOT NULL,

    CONSTRAINT "customer_journeys_pkey" PRIMARY KEY ("key")
);

-- CreateIndex
CREATE INDEX "customer_journeys_expires_at_idx" ON "customer_journeys"("expires_at");

-- CreateTable
CREATE TABLE "sign_in_attempts" (
    "login_key" TEXT NOT NULL,
    "failures" INTEGER NOT NULL,
    "blocked_until" TIMESTAMP(3),
    "updated_at" TIMESTAMP(3) NOT NULL,

    CONSTRAINT "sign_in_attempts_pkey" PRIMARY KEY ("login_key")
);

-- CreateIndex
CREATE INDEX "sign_in_attempts_updated_at_idx" ON "sign_in_attempts"("updated_at");

-- CreateTable
CREATE TABLE "signing_keys" (
    "kid" TEXT NOT NULL,
    "alg" TEXT NOT NULL,
    "generation" INTEGER NOT NULL,
    "public_jwk" JSONB NOT NULL,
    "sealed_private" TEXT NOT NULL,
    "signs_from" TIMESTAMP(3) NOT NULL,
    "published_until" TIMESTAMP(3),

    CONSTRAINT "signing_keys_pkey" PRIMARY KEY ("kid")
);

-- CreateIndex
CREATE UNIQUE INDEX "signing_keys_alg_generation_key" ON "signing_keys"("alg", "generation");

-- CreateTable
CREATE TABLE "tpps" (
    "client_id" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "logo" TEXT,
    "status" TEXT NOT NULL,
    "metadata" JSONB NOT NULL,
    "created_at" TIMESTAMP(3) NOT NULL,
    "updated_at" TIMESTAMP(3) NOT NULL,

    CONSTRAINT "tpps_pkey" PRIMARY KEY ("client_id"),

    CONSTRAINT "tpps_status_known" CHECK ("status" IN ('active', 'suspended'))
);

-- Told on the channel of the consents, which every process listens to already: a consent's id never has a colon.
CREATE FUNCTION "notify_tpp_changed"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM pg_notify('consent_changed', 'tpp:' || COALESCE(NEW."client_id", OLD."client_id"));
    RETURN NULL;
END;
$$;

CREATE TRIGGER "tpps_notify_changed"
    AFTER INSERT OR UPDATE OR DELETE ON "tpps"
    FOR EACH ROW EXECUTE FUNCTION "notify_tpp_changed"();

CREATE FUNCTION "notify_signing_keys_changed"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM pg_notify('consent_changed', 'signing-keys:');
    RETURN NULL;
END;
$$;

CREATE TRIGGER "signing_keys_notify_changed"
    AFTER INSERT OR UPDATE OR DELETE ON "signing_keys"
    FOR EACH STATEMENT EXECUTE FUNCTION "notify_signing_keys_changed"();
