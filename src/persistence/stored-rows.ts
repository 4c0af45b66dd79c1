/** Rows as the database gives them, for code that is not a store: the types alone, which follow the schema. */
export type { Consent as StoredConsent } from '../../prisma/client/client.js';
