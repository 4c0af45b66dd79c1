/** The types of the database's rows, for code outside the stores. They follow the schema. */
export type { Consent as StoredConsent } from '../../prisma/client/client.js';
