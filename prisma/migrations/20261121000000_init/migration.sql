-- The gateway's own data: consents, and the data that its authorization server keeps. schema.prisma says what each column
-- means; this says what the database enforces.

-- CreateTable
CREATE TABLE "consents" (
    "consent_id" TEXT NOT NULL,
    "issuer" TEXT NOT NULL,
    "client_id" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "permissions" TEXT[] NOT NULL,
    "status" TEXT NOT NULL,
    "begun_at" TIMESTAMP(3),
    "status_reason" TEXT,
    "created_at" TIMESTAMP(3) NOT NULL,
    "created_in" TEXT NOT NULL,
    "status_updated_at" TIMESTAMP(3) NOT NULL,
    "expires_text" TEXT,
    "expires_at_ms" BIGINT,
    "transactions_from_text" TEXT,
    "transactions_from_at_ms" BIGINT,
    "transactions_to_text" TEXT,
    "transactions_to_at_ms" BIGINT,
    "debtor" JSONB,
    "debtor_account" JSONB,
    "customer_ref" TEXT,
    "display_name" TEXT,
    "accounts" JSONB,
    "account_left_at" TIMESTAMP(3),
    "last_authenticated_at" TIMESTAMP(3),
    "authorisation_id" TEXT,
    "next_authorisation_id" TEXT,
    "authorised_at" TIMESTAMP(3),
    "rejected_by" TEXT,
    "deleted_at" TIMESTAMP(3),
    "erased_at" TIMESTAMP(3),

    CONSTRAINT "consents_pkey" PRIMARY KEY ("consent_id"),

    CONSTRAINT "consents_kind_known" CHECK ("kind" IN ('account-access', 'funds-confirmation')),
    CONSTRAINT "consents_permissions_of_account_access" CHECK ((cardinality("permissions") > 0) = ("kind" = 'account-access')),
    CONSTRAINT "consents_debtor_of_funds_confirmation" CHECK (
        ("debtor" IS NOT NULL) = ("kind" = 'funds-confirmation' AND "erased_at" IS NULL)
        AND ("debtor" IS NULL) = ("debtor_account" IS NULL)
    ),
    CONSTRAINT "consents_status_known" CHECK ("status" IN ('awaiting', 'authorised', 'rejected', 'cancelled')),
    -- A stated date-time is its text and its instant, or neither.
    CONSTRAINT "consents_expires_whole" CHECK (("expires_text" IS NULL) = ("expires_at_ms" IS NULL)),
    CONSTRAINT "consents_transactions_from_whole" CHECK (("transactions_from_text" IS NULL) = ("transactions_from_at_ms" IS NULL)),
    CONSTRAINT "consents_transactions_to_whole" CHECK (("transactions_to_text" IS NULL) = ("transactions_to_at_ms" IS NULL)),
    -- Authorised and cancelled consents carry the whole authorisation, the others nothing of it. A consent that has ended stays for
    -- a time without its customer, accounts and names.
    CONSTRAINT "consents_authorisation_whole" CHECK (
        CASE WHEN "status" IN ('authorised', 'cancelled') AND "erased_at" IS NULL
            THEN "customer_ref" IS NOT NULL AND "accounts" IS NOT NULL AND "last_authenticated_at" IS NOT NULL
                AND "authorised_at" IS NOT NULL
            ELSE "customer_ref" IS NULL AND "display_name" IS NULL AND "accounts" IS NULL AND "last_authenticated_at" IS NULL
                AND ("authorised_at" IS NULL OR "erased_at" IS NOT NULL)
        END
    ),
    CONSTRAINT "consents_erased_whole" CHECK ("erased_at" IS NULL OR "rejected_by" IS NULL),
    CONSTRAINT "consents_authorisation_ids_of_authorised" CHECK (
        ("customer_ref" IS NOT NULL AND "status" = 'authorised') OR ("authorisation_id" IS NULL AND "next_authorisation_id" IS NULL)
    ),
    CONSTRAINT "consents_status_reason_known" CHECK (
        CASE "status"
            WHEN 'rejected' THEN "status_reason" IN ('customer-refused', 'not-completed', 'customer-withdrew', 'bank-withdrew')
            WHEN 'cancelled' THEN "status_reason" IN ('customer-withdrew', 'bank-withdrew', 'fraud')
            ELSE TRUE
        END
    ),
    CONSTRAINT "consents_status_reason_of_ended" CHECK (("status_reason" IS NULL) = ("status" IN ('awaiting', 'authorised'))),
    CONSTRAINT "consents_rejected_by_of_rejected" CHECK ("rejected_by" IS NULL OR "status" = 'rejected')
);

-- CreateIndex
CREATE INDEX "consents_customer_ref_created_at_idx" ON "consents"("customer_ref", "created_at" DESC);

-- CreateIndex
CREATE INDEX "consents_rejected_by_idx" ON "consents"("rejected_by");

-- CreateIndex
CREATE UNIQUE INDEX "consents_authorisation_id_key" ON "consents"("authorisation_id");

-- Each revocation of a token looks for the consent whose next authorisation it was.
-- CreateIndex
CREATE INDEX "consents_next_authorisation_id_idx" ON "consents"("next_authorisation_id");

-- A TPP's consents are listed newest first, in pages.
-- CreateIndex
CREATE INDEX "consents_client_id_issuer_created_at_consent_id_idx" ON "consents"("client_id", "issuer", "created_at" DESC, "consent_id" DESC);

-- CreateIndex
CREATE INDEX "consents_accounts_idx" ON "consents" USING GIN ("accounts" jsonb_path_ops);

-- Consents that were not authorised in time are removed once a minute. Only those that still wait are in this index, so
-- that a sweep with nothing to do costs nothing however many consents there are. Prisma's schema cannot say the condition.
-- CreateIndex
CREATE INDEX "consents_status_created_at_idx" ON "consents"("status", "created_at")
    WHERE "status" = 'awaiting';

-- As do those whose authorisation was begun and not completed.
-- CreateIndex
CREATE INDEX "consents_status_begun_at_idx" ON "consents"("status", "begun_at")
    WHERE "status" = 'awaiting';

-- A separate table, so that a use writes no row of a consent.
-- CreateTable
CREATE TABLE "consent_uses" (
    "consent_id" TEXT NOT NULL,
    "last_used_at" TIMESTAMP(3) NOT NULL,

    CONSTRAINT "consent_uses_pkey" PRIMARY KEY ("consent_id")
);

-- The references of checks of funds. Of two checks at once with one reference, one adds the row.
-- CreateTable
CREATE TABLE "used_references" (
    "consent_id" TEXT NOT NULL,
    "digest" TEXT NOT NULL,

    CONSTRAINT "used_references_pkey" PRIMARY KEY ("consent_id", "digest")
);

-- When the acts began that count for a limit over all processes: reads without the customer, and sign-ins.
-- CreateTable
CREATE TABLE "limit_counts" (
    "subject" TEXT NOT NULL,
    "part" TEXT NOT NULL,
    "at_ms" BIGINT[] NOT NULL,
    "newest_at" TIMESTAMP(3) NOT NULL,

    CONSTRAINT "limit_counts_pkey" PRIMARY KEY ("subject", "part")
);

-- CreateIndex
CREATE INDEX "limit_counts_newest_at_idx" ON "limit_counts"("newest_at");

-- The reads without the customer name the accounts of their consent, and go with them. A consent that was erased has ended
-- long ago: no check adds a reference to it any more.
CREATE FUNCTION "remove_reads_of_erased_consent"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    DELETE FROM "limit_counts" WHERE "subject" = NEW."consent_id";
    DELETE FROM "used_references" WHERE "consent_id" = NEW."consent_id";
    RETURN NULL;
END;
$$;

CREATE TRIGGER "consents_remove_reads_of_erased"
    AFTER UPDATE OF "erased_at" ON "consents"
    FOR EACH ROW
    WHEN (OLD."erased_at" IS NULL AND NEW."erased_at" IS NOT NULL)
    EXECUTE FUNCTION "remove_reads_of_erased_consent"();

-- The bank's decisions about a TPP of any issuer. Without a row the bank has decided nothing.
-- CreateTable
CREATE TABLE "tpp_standings" (
    "issuer" TEXT NOT NULL,
    "client_id" TEXT NOT NULL,
    "suspended_at" TIMESTAMP(3),
    "consents_revoked_at" TIMESTAMP(3)[] NOT NULL DEFAULT ARRAY[]::TIMESTAMP(3)[],

    CONSTRAINT "tpp_standings_pkey" PRIMARY KEY ("client_id", "issuer")
);

-- What each TPP has still to learn about its consents.
-- CreateTable
CREATE TABLE "consent_events" (
    "event_id" TEXT NOT NULL DEFAULT gen_random_uuid(),
    "issuer" TEXT NOT NULL,
    "client_id" TEXT NOT NULL,
    "consent_id" TEXT NOT NULL,
    "created_in" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "account" JSONB,
    "occurred_at" TIMESTAMP(3) NOT NULL,
    "errors" INTEGER NOT NULL DEFAULT 0,

    CONSTRAINT "consent_events_pkey" PRIMARY KEY ("event_id"),
    CONSTRAINT "consent_events_kind_known" CHECK ("kind" IN ('updated', 'withdrawn', 'account-left')),
    CONSTRAINT "consent_events_account_whole" CHECK (("account" IS NOT NULL) = ("kind" = 'account-left'))
);

-- A TPP gets the oldest first, and those that it reported as errors last.
-- CreateIndex
CREATE INDEX "consent_events_client_id_issuer_errors_occurred_at_event_id_idx" ON "consent_events"("client_id", "issuer", "errors", "occurred_at", "event_id");

-- CreateIndex
CREATE INDEX "consent_events_occurred_at_idx" ON "consent_events"("occurred_at");

-- An event that names an account is erased with its consent. Prisma's schema cannot say the condition.
-- CreateIndex
CREATE INDEX "consent_events_consent_id_idx" ON "consent_events"("consent_id") WHERE "account" IS NOT NULL;

-- The event is written in the statement of the change, whichever program makes it: neither is ever without the other. The
-- erasure and the removal of a consent that has ended change nothing for its TPP.
CREATE FUNCTION "record_consent_change"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NEW."erased_at" IS NOT NULL THEN
        DELETE FROM "consent_events" WHERE "consent_id" = NEW."consent_id" AND "account" IS NOT NULL;
        RETURN NULL;
    END IF;
    INSERT INTO "consent_events" ("issuer", "client_id", "consent_id", "created_in", "kind", "account", "occurred_at")
    SELECT NEW."issuer", NEW."client_id", NEW."consent_id", NEW."created_in", "change".*
    FROM (
        SELECT 'updated', NULL::jsonb, NEW."deleted_at" WHERE OLD."deleted_at" IS NULL AND NEW."deleted_at" IS NOT NULL
        UNION ALL
        SELECT CASE NEW."status" WHEN 'cancelled' THEN 'withdrawn' ELSE 'updated' END, NULL, NEW."status_updated_at"
        WHERE NEW."status" <> OLD."status"
        UNION ALL
        SELECT 'account-left', "left_account", COALESCE(NEW."account_left_at", now() AT TIME ZONE 'UTC')
        FROM jsonb_array_elements(OLD."accounts") AS "left_account"
        WHERE NOT NEW."accounts" @> jsonb_build_array("left_account")
    ) AS "change";
    RETURN NULL;
END;
$$;

CREATE TRIGGER "consents_record_change"
    AFTER UPDATE OF "status", "deleted_at", "accounts", "erased_at" ON "consents"
    FOR EACH ROW EXECUTE FUNCTION "record_consent_change"();

-- The withdrawal of all consents of a TPP changes no consent's row, and a TPP may have millions: their events are written later,
-- in parts, so that the withdrawal takes effect at once.
-- CreateTable
CREATE TABLE "withdrawals_to_announce" (
    "issuer" TEXT NOT NULL,
    "client_id" TEXT NOT NULL,
    "withdrawn_at" TIMESTAMP(3) NOT NULL,
    "earlier_at" TIMESTAMP(3),
    "before_created_at" TIMESTAMP(3) NOT NULL,
    "before_consent_id" TEXT NOT NULL,

    CONSTRAINT "withdrawals_to_announce_pkey" PRIMARY KEY ("client_id", "issuer", "withdrawn_at")
);

CREATE FUNCTION "record_withdrawal_of_all"() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    "at" TIMESTAMP(3) := NEW."consents_revoked_at"[cardinality(NEW."consents_revoked_at")];
    "before" TIMESTAMP(3)[] := CASE WHEN TG_OP = 'UPDATE' THEN OLD."consents_revoked_at" ELSE '{}' END;
BEGIN
    IF "at" IS NULL OR "at" = ANY ("before") THEN RETURN NULL; END IF;
    INSERT INTO "withdrawals_to_announce"
        ("issuer", "client_id", "withdrawn_at", "earlier_at", "before_created_at", "before_consent_id")
    VALUES (NEW."issuer", NEW."client_id", "at", "before"[cardinality("before")], "at" + interval '1 ms', '')
    ON CONFLICT DO NOTHING;
    RETURN NULL;
END;
$$;

CREATE TRIGGER "tpp_standings_record_withdrawal_of_all"
    AFTER INSERT OR UPDATE OF "consents_revoked_at" ON "tpp_standings"
    FOR EACH ROW EXECUTE FUNCTION "record_withdrawal_of_all"();

-- Operators with roles, the reasons of withdrawals, and the acts that wait for a second operator.
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
    "of_account" BOOLEAN NOT NULL DEFAULT false,

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
    "expires_at" TIMESTAMP(3) NOT NULL,

    CONSTRAINT "proposals_pkey" PRIMARY KEY ("proposal_id")
);

-- CreateIndex
CREATE INDEX "proposals_expires_at_idx" ON "proposals"("expires_at");

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

-- The fingerprints of the keys on which the data depend, so that no gateway starts with others.
-- CreateTable
CREATE TABLE "known_keys" (
    "setting" TEXT NOT NULL,
    "fingerprint" TEXT NOT NULL,
    "known_since" TIMESTAMP(3) NOT NULL,

    CONSTRAINT "known_keys_pkey" PRIMARY KEY ("setting", "fingerprint")
);

-- CreateTable
CREATE TABLE "used_proofs" (
    "proof_id" TEXT NOT NULL,
    "expires_at" TIMESTAMP(3) NOT NULL,

    CONSTRAINT "used_proofs_pkey" PRIMARY KEY ("proof_id")
);

-- CreateIndex
CREATE INDEX "used_proofs_expires_at_idx" ON "used_proofs"("expires_at");

-- The tables of the embedded authorization server.

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

-- An authorisation that is no longer the current or the next one of a consent that can be used leaves nothing behind. With
-- an open-ended consent its refresh token would otherwise be kept for a hundred years, and a sweep would have to read every
-- good token to find the others. The revocation of all consents of a TPP changes no consent's row: what it leaves here serves
-- no request and stays until it expires.
CREATE FUNCTION "remove_ended_authorisations"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    DELETE FROM "oidc_artefacts"
    WHERE "grant_id" IN (OLD."authorisation_id", OLD."next_authorisation_id")
        AND (
            NEW."status" <> 'authorised' OR NEW."deleted_at" IS NOT NULL
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

-- CreateTable
CREATE TABLE "customer_journeys" (
    "key" TEXT NOT NULL,
    "version" INTEGER NOT NULL,
    "state" TEXT NOT NULL,
    "expires_at" TIMESTAMP(3) NOT NULL,
    "request_key" TEXT,
    "artefact_key" TEXT,
    -- A journey that expires without a decision is recorded in the trail by the process that removes its row. The state is
    -- sealed under the customer's cookie, so the row itself names the consent, the TPP and the page at which the customer stopped.
    "consent_id" TEXT,
    "client_id" TEXT,
    "stage" TEXT,

    CONSTRAINT "customer_journeys_pkey" PRIMARY KEY ("key")
);

-- CreateIndex
CREATE INDEX "customer_journeys_expires_at_idx" ON "customer_journeys"("expires_at");

-- One authorization request has one journey.
-- CreateIndex
CREATE UNIQUE INDEX "customer_journeys_request_key_key" ON "customer_journeys"("request_key");

-- When the request of a journey is opened again, the journey gets another artefact of the library, and the former one goes
-- in the same statement: of two browsers that open the request at the same moment, none leaves an artefact behind.
CREATE FUNCTION "remove_former_artefact"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    DELETE FROM "oidc_artefacts" WHERE "key" = OLD."artefact_key";
    RETURN NULL;
END;
$$;

CREATE TRIGGER "customer_journeys_remove_former_artefact"
    AFTER UPDATE OF "artefact_key" ON "customer_journeys"
    FOR EACH ROW
    WHEN (OLD."artefact_key" <> NEW."artefact_key")
    EXECUTE FUNCTION "remove_former_artefact"();

-- CreateTable
CREATE TABLE "dashboard_sessions" (
    "key" TEXT NOT NULL,
    "customer" TEXT NOT NULL,
    "expires_at" TIMESTAMP(3) NOT NULL,

    CONSTRAINT "dashboard_sessions_pkey" PRIMARY KEY ("key")
);

-- CreateIndex
CREATE INDEX "dashboard_sessions_expires_at_idx" ON "dashboard_sessions"("expires_at");

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
    "status" TEXT NOT NULL,
    "metadata" JSONB NOT NULL,
    "created_at" TIMESTAMP(3) NOT NULL,
    "updated_at" TIMESTAMP(3) NOT NULL,
    "software_id" TEXT,
    "organisation_id" TEXT,
    "statement" TEXT,
    "statement_expires_at" TIMESTAMP(3),
    "withdrawn_at" TIMESTAMP(3),
    "checked_at" TIMESTAMP(3),

    CONSTRAINT "tpps_pkey" PRIMARY KEY ("client_id"),

    CONSTRAINT "tpps_status_known" CHECK ("status" IN ('registered', 'deleted')),
    CONSTRAINT "tpps_software_whole" CHECK (
        ("software_id" IS NULL) = ("statement" IS NULL) AND
        ("software_id" IS NULL) = ("organisation_id" IS NULL) AND
        ("software_id" IS NULL) = ("checked_at" IS NULL) AND
        ("software_id" IS NOT NULL OR ("statement_expires_at" IS NULL AND "withdrawn_at" IS NULL))
    )
);

-- CreateIndex
CREATE UNIQUE INDEX "tpps_software_id_key" ON "tpps"("software_id");

-- CreateIndex
CREATE INDEX "tpps_checked_at_idx" ON "tpps"("checked_at");

-- The chain of the decision trail: the signed root of each closed segment, and each day that was dropped.
-- CreateTable
CREATE TABLE "trail_roots" (
    "segment" TEXT NOT NULL,
    "sequence" INTEGER NOT NULL,
    "previous" TEXT NOT NULL,
    "record" JSONB NOT NULL,
    "inserted_at" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "trail_roots_pkey" PRIMARY KEY ("segment"),

    CONSTRAINT "trail_roots_in_a_row" CHECK ("sequence" >= 1)
);

-- CreateIndex
CREATE UNIQUE INDEX "trail_roots_sequence_key" ON "trail_roots"("sequence");

-- CreateIndex
CREATE UNIQUE INDEX "trail_roots_previous_key" ON "trail_roots"("previous");

-- Whatever a role may do, a root that was stored stays as it is: a dropped day adds a record, and removes none.
CREATE FUNCTION "keep_trail_roots"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'trail_roots takes new rows only' USING ERRCODE = 'insufficient_privilege';
END
$$;

CREATE TRIGGER "trail_roots_are_kept" BEFORE UPDATE OR DELETE ON "trail_roots"
FOR EACH STATEMENT EXECUTE FUNCTION "keep_trail_roots"();

CREATE TRIGGER "trail_roots_are_not_emptied" BEFORE TRUNCATE ON "trail_roots"
FOR EACH STATEMENT EXECUTE FUNCTION "keep_trail_roots"();
