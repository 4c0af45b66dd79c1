-- When sign-ins were begun that have not succeeded, by whom or for whom. The columns of before are what a gateway of the
-- version before counts in, under keys of its own; it may still run beside this one.
ALTER TABLE "sign_in_attempts"
    ADD COLUMN "taken" TIMESTAMP(3)[] NOT NULL DEFAULT ARRAY[]::TIMESTAMP(3)[],
    ALTER COLUMN "failures" SET DEFAULT 0;
