/** The types of events of the standard, each as its security event tokens name it. */
export const eventTypes = {
  'resource-update': 'urn:uk:org:openbanking:events:resource-update',
  'consent-authorization-revoked': 'urn:uk:org:openbanking:events:consent-authorization-revoked',
  'account-access-consent-linked-account-update':
    'urn:uk:org:openbanking:events:account-access-consent-linked-account-update',
} as const;
export type EventType = keyof typeof eventTypes;

/** A change of a consent. `withdrawn`: at the bank, by it or by the customer. */
export type ConsentChangeKind = 'updated' | 'withdrawn' | 'account-left';
