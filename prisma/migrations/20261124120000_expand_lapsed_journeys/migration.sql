-- A journey that lapses without a decision is told in the trail by the process that removes its row. The state is sealed under the
-- customer's cookie, so the row itself names the consent, the TPP and the page at which the customer stopped.

-- AlterTable
ALTER TABLE "customer_journeys" ADD COLUMN "consent_id" TEXT,
ADD COLUMN "client_id" TEXT,
ADD COLUMN "stage" TEXT;
