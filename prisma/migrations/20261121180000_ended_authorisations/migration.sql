-- An authorisation that is no longer the current or the next one of a consent that can be used leaves nothing behind: of
-- an open-ended consent, its grant and its refresh token would else be kept for a hundred years. Here rather than in a
-- sweep, which would have to read every token that is good to find those that are not, and could not tell an
-- authorisation that has ended from one whose consent does not name it yet.
CREATE FUNCTION "remove_ended_authorisations"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    DELETE FROM "oidc_artefacts"
    WHERE "grant_id" IN (OLD."authorisation_id", OLD."next_authorisation_id")
        AND (
            NEW."status" <> 'Authorised' OR NEW."deleted_at" IS NOT NULL
            OR ("grant_id" IS DISTINCT FROM NEW."authorisation_id" AND "grant_id" IS DISTINCT FROM NEW."next_authorisation_id")
        );
    RETURN NULL;
END;
$$;

CREATE TRIGGER "consents_remove_ended_authorisations"
    AFTER UPDATE OF "status", "deleted_at", "authorisation_id", "next_authorisation_id" ON "consents"
    FOR EACH ROW
    WHEN (OLD."authorisation_id" IS NOT NULL OR OLD."next_authorisation_id" IS NOT NULL)
    EXECUTE FUNCTION "remove_ended_authorisations"();
