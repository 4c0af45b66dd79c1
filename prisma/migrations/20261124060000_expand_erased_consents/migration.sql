-- A consent that has ended stays for a time without its customer, accounts and names.

-- AlterTable
ALTER TABLE "consents" ADD COLUMN "erased_at" TIMESTAMP(3);

ALTER TABLE "consents" DROP CONSTRAINT "consents_authorisation_whole";
ALTER TABLE "consents" ADD CONSTRAINT "consents_authorisation_whole" CHECK (
    CASE WHEN "status" IN ('authorised', 'revoked') AND "erased_at" IS NULL
        THEN "customer_ref" IS NOT NULL AND "accounts" IS NOT NULL AND "last_authenticated_at" IS NOT NULL
            AND "authorised_at" IS NOT NULL
        ELSE "customer_ref" IS NULL AND "display_name" IS NULL AND "accounts" IS NULL AND "last_authenticated_at" IS NULL
            AND ("authorised_at" IS NULL OR "erased_at" IS NOT NULL)
    END
);
ALTER TABLE "consents" ADD CONSTRAINT "consents_erased_whole" CHECK ("erased_at" IS NULL OR "rejected_by" IS NULL);

-- The unattended reads of a consent name its accounts, and go with them.
CREATE FUNCTION "remove_reads_of_erased_consent"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    DELETE FROM "unattended_reads" WHERE "consent_id" = NEW."consent_id";
    RETURN NULL;
END;
$$;

CREATE TRIGGER "consents_remove_reads_of_erased"
    AFTER UPDATE OF "erased_at" ON "consents"
    FOR EACH ROW
    WHEN (OLD."erased_at" IS NULL AND NEW."erased_at" IS NOT NULL)
    EXECUTE FUNCTION "remove_reads_of_erased_consent"();
