-- Each revocation of a token asks whose next authorisation it was.
-- CreateIndex
CREATE INDEX "consents_next_authorisation_id_idx" ON "consents"("next_authorisation_id");
