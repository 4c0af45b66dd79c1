import { longestOneOffDays } from './consent-history.js';

/** A field of a tab: the figure that it has, the row's own value by that name, or else only the bank's own channels know it. */
export interface MiField {
  readonly name: string;
  /** The name of a figure or of a column of the tab's query. */
  readonly value?: string;
}

export interface MiTab {
  readonly name: string;
  /** In the name of its CSV file. */
  readonly file: string;
  readonly rule: string;
  readonly fields: readonly MiField[];
}

const field = (name: string, value?: string): MiField => (value === undefined ? { name } : { name, value });
const firstFields = [field('Report Date', 'date'), field('ASPSP Brand ID', 'brand')];
const perEndpoint = [...firstFields, field('Endpoint ID', 'endpointId'), field('Endpoint', 'endpoint')];
const version = field('Version', 'version');

const performance: MiTab = {
  name: 'P&A',
  file: 'performance-and-availability',
  rule: 'Performance and availability by day, version and endpoint. Endpoint 0 is the authorization server for TPPs, which has no version and is down where the whole interface is. Uptime and downtime are in seconds, times in milliseconds, lengths in bytes. The day is not divided into core and other hours.',
  fields: [
    ...perEndpoint,
    field('Core/Non-Core hours'),
    field('Up Time', 'uptime-seconds'),
    field('Planned Downtime', 'planned-downtime-seconds'),
    field('Unplanned Downtime', 'unplanned-downtime-seconds'),
    field('Median TTLB', 'median-ttlb-ms'),
    field('Median TTFB', 'median-ttfb-ms'),
    field('Median payload size', 'median-bytes'),
    field('Average TTLB', 'mean-ttlb-ms'),
    field('Average TTFB', 'mean-ttfb-ms'),
    field('Total API calls', 'requests'),
    field('Total TTLB', 'total-ttlb-ms'),
    field('Total TTFB', 'total-ttfb-ms'),
    field('Total payload size', 'bytes'),
    version,
  ],
};

const volumes: MiTab = {
  name: 'Daily Volumes',
  file: 'daily-volumes',
  rule: 'Requests by day, version and endpoint. A call is one of a PCA or BCA where its account has a product that --pca or --bca names.',
  fields: [
    ...perEndpoint,
    field('PCA calls', 'pcaCalls'),
    field('BCA calls', 'bcaCalls'),
    field('Successful', 'successful-requests'),
    field('Failed Business', 'refused-requests'),
    field('Failed Technical', 'failed-requests'),
    field('Rejected status'),
    field('TPPs calling', 'distinct-tpps'),
    field('Not authorised by PSU'),
    field('Authorised but not consumed'),
    field('Multi-authorisation succeeded'),
    field('Multi-authorisation failed'),
    version,
  ],
};

const consents: MiTab = {
  name: 'PSU Consent Adoption',
  file: 'consent-adoption',
  rule: `Consents of the month. A consent is one-off where its TPP created it for at most ${longestOneOffDays} days, else long-lived; one without a term, or whose creation is no longer in the trail, is long-lived. A consent is outstanding from its approval to its withdrawal or expiry; one whose approval is no longer in the trail is missing. A customer who gives a withdrawn access again renews the consent, and one who authenticates again before refreshes it. A consent requires an authentication where a read was refused because the last one was too long ago.`,
  fields: [
    ...firstFields,
    field('One-off consents', 'one-off-consents'),
    field('Long-lived: outstanding at start', 'outstandingAtStart'),
    field('Long-lived: new', 'long-lived-consents-approved'),
    field('Long-lived: renewed', 'long-lived-consents-renewed'),
    field('Long-lived: revoked', 'long-lived-consents-withdrawn'),
    field('Long-lived: expired', 'long-lived-consents-expired'),
    field('Long-lived: requiring reauthentication', 'long-lived-consents-requiring-authentication'),
    field('Long-lived: refreshed', 'long-lived-consents-refreshed'),
    field('Long-lived: outstanding at end', 'outstandingAtEnd'),
  ],
};

const authentication: MiTab = {
  name: 'Auth Efficacy',
  file: 'authentication-efficacy',
  rule: 'Journeys of the month on the pages of the embedded authorization server. Each that signs in comes to a page that asks for a confirmation. A sign-on of the bank itself leaves no journeys, and the trail does not have the channel.',
  fields: [
    ...firstFields,
    field('Channel'),
    field('Consents requiring authentication', 'journeys-begun'),
    field('Authentications attempted', 'attempted-sign-ins'),
    field('Authentications abandoned', 'journeys-abandoned'),
    field('Authentications succeeded', 'sign-ins'),
    field('Authentications failed', 'failed-sign-ins'),
    field('Confirmations required', 'sign-ins'),
    field('Confirmations accepted', 'journeys-approved'),
    field('Confirmations rejected', 'journeys-refused'),
  ],
};

const outliers: MiTab = {
  name: 'Response Outliers',
  file: 'response-outliers',
  rule: 'The 100 slowest answers of the month, of those that took longer than the benchmark of 750 ms.',
  fields: [
    ...perEndpoint,
    field('Time', 'at'),
    field('TTLB', 'lastByteMs'),
    field('TTFB', 'firstByteMs'),
    field('TPP application', 'tpp'),
    field('Payload size', 'bytes'),
    version,
  ],
};

const tpps: MiTab = {
  name: 'TPP Volumes',
  file: 'tpp-volumes',
  rule: 'Registrations at the embedded authorization server, as far as the trail goes back; NULL where it has no registration.',
  fields: [
    ...firstFields,
    field('AISPs at start', 'tppsAtStart'),
    field('AISPs added', 'tppsAdded'),
    field('AISPs removed', 'tppsRemoved'),
    field('AISPs at end', 'tppsAtEnd'),
  ],
};

const additional: MiTab = {
  name: 'Additional Metrics',
  file: 'additional-metrics',
  rule: 'The gateway sends no notification of revocations; the bank knows whether another of its systems does.',
  fields: [...firstFields, field('Revocation notifications')],
};

const psuInterface: MiTab = {
  name: 'PSU Interface P&A',
  file: 'psu-interface',
  rule: 'Only the bank knows the interfaces that its customers use.',
  fields: [
    ...firstFields,
    field('Up Time'),
    field('Planned Downtime'),
    field('Unplanned Downtime'),
    field('Average TTLB'),
    field('Total calls'),
    field('Error rate'),
  ],
};

export const miTabs = {
  performance,
  volumes,
  consents,
  authentication,
  outliers,
  tpps,
  additional,
  psuInterface,
} as const;

export const miRules: readonly string[] = [
  'NULL stands where only the bank’s own channels know the value, where the field does not apply, or where the trail does not cover the day. --import takes values for cells that are NULL.',
  'Endpoint ID is NULL but for 0, the authorization server: import the id of each endpoint from the standard body’s list.',
  'Test applications are not distinguished from others.',
  'The tabs on authentication by interaction, on the adoption by customers and on payments are not written: the gateway knows no field of them.',
];
