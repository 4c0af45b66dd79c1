-- What the bank decided of a TPP, whoever issues its tokens. No row: nothing.
CREATE TABLE "tpp_standings" (
    "tpp_id" TEXT NOT NULL,
    "suspended_at" TIMESTAMP(3),
    -- Each consent of the TPP that was created up to then counts as revoked at that time, whatever its row says.
    "consents_revoked_at" TIMESTAMP(3),
    -- Whether rows of such consents are still to be rewritten, and which was the last, in the order of creation and id.
    "rewriting" BOOLEAN NOT NULL DEFAULT FALSE,
    "rewritten_to_at" TIMESTAMP(3),
    "rewritten_to_id" TEXT,

    CONSTRAINT "tpp_standings_pkey" PRIMARY KEY ("tpp_id"),

    CONSTRAINT "tpp_standings_rewriting_of_revoked" CHECK (NOT "rewriting" OR "consents_revoked_at" IS NOT NULL),
    CONSTRAINT "tpp_standings_rewritten_whole" CHECK (("rewritten_to_at" IS NULL) = ("rewritten_to_id" IS NULL))
);

INSERT INTO "tpp_standings" ("tpp_id", "suspended_at")
    SELECT "client_id", "updated_at" FROM "tpps" WHERE "status" = 'suspended';

-- A gateway of an earlier version takes it for the id of a consent that it does not know.
CREATE FUNCTION "notify_tpp_standing_changed"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM pg_notify('consent_changed', 'tpp-standing:' || COALESCE(NEW."tpp_id", OLD."tpp_id"));
    RETURN NULL;
END;
$$;

CREATE TRIGGER "tpp_standings_notify_changed"
    AFTER INSERT OR DELETE OR UPDATE OF "suspended_at", "consents_revoked_at" ON "tpp_standings"
    FOR EACH ROW EXECUTE FUNCTION "notify_tpp_standing_changed"();

-- CreateIndex: the consents of one TPP in the order in which their rows are rewritten.
CREATE INDEX "consents_tpp_id_created_at_consent_id_idx" ON "consents"("tpp_id", "created_at", "consent_id");

-- Rewriting makes a row say what its TPP's standing says already: a million notifications would tell nobody anything.
CREATE OR REPLACE FUNCTION "notify_consent_changed"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF current_setting('gateway.rewriting', TRUE) IS DISTINCT FROM 'on' THEN
        PERFORM pg_notify('consent_changed', OLD."consent_id");
    END IF;
    RETURN NULL;
END;
$$;
