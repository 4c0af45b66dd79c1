-- The fingerprints of the keys on which the data depend, so that no gateway starts with others. The previous release reads and
-- writes none of them.

-- CreateTable
CREATE TABLE "known_keys" (
    "setting" TEXT NOT NULL,
    "fingerprint" TEXT NOT NULL,
    "known_since" TIMESTAMP(3) NOT NULL,

    CONSTRAINT "known_keys_pkey" PRIMARY KEY ("setting", "fingerprint")
);
