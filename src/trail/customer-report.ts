import { numberIn, textIn, textsIn, type StoredEvent } from './stored-event.js';
import type { SearchScope, TrailQuestion, TrailSearch } from './trail-search.js';

/** The TPPs that read a customer's data, and the consents under which they did: the ended and deleted ones too. */
export interface CustomerReport {
  /** Under every key, the present one first. */
  readonly pseudonyms: readonly string[];
  readonly reads: readonly ReadsOfCustomer[];
  readonly lookups: readonly LookupsOfCustomer[];
  readonly consents: readonly ConsentOfCustomer[];
  /** The deciding steps of the customer's authorisations, by time. */
  readonly authorisations: readonly StoredEvent[];
  readonly searched: SearchScope;
}

/** The requests of one TPP to one endpoint under one consent. */
export interface ReadsOfCustomer {
  readonly tpp: string;
  readonly issuer: string;
  readonly consent: string;
  readonly endpoint: string;
  /** Requests that were answered with data. */
  readonly answered: number;
  /** Answered ones during which the customer was present. */
  readonly attended: number;
  /** Requests that got no data: refused, or failed. */
  readonly refused: number;
  readonly first: string;
  readonly last: string;
}

/** The requests by which an operator, or the bank's systems, searched for the customer at the bank's port. */
export interface LookupsOfCustomer {
  readonly by: string;
  readonly endpoint: string;
  readonly requests: number;
  readonly first: string;
  readonly last: string;
}

export interface ConsentOfCustomer {
  readonly consent: string;
  readonly tpp: string;
  readonly issuer: string;
  readonly permissions: readonly string[];
  /** By time. */
  readonly changes: readonly {
    readonly at: string;
    readonly event: string;
    readonly by: string;
    readonly reason: string;
  }[];
}

/** @param pseudonyms of the customer, under every key */
export async function customerReport(
  search: TrailSearch,
  pseudonyms: readonly string[],
  time: Pick<TrailQuestion, 'from' | 'to'>,
): Promise<CustomerReport> {
  const { events, searched } = await search.find({ members: ['customer'], values: pseudonyms, ...time });
  const consents = [...new Set(events.map((event) => textIn(event, 'consent')).filter(Boolean))];
  // A consent is created before it has a customer, and may have been created before the time that is asked for.
  const { events: ofConsents } =
    consents.length === 0
      ? { events: [] }
      : await search.find({ members: ['consent'], values: consents, kind: 'consent' });
  return {
    pseudonyms,
    reads: readsIn(events),
    lookups: lookupsIn(events),
    consents: consentsIn(ofConsents),
    authorisations: events.filter((event) => textIn(event, 'kind') === 'authorisation'),
    searched,
  };
}

/** The trail's part of a consent's life. */
export interface ConsentReport {
  readonly reads: readonly ReadsOfCustomer[];
  readonly changes: ConsentOfCustomer['changes'];
  readonly searched: SearchScope;
}

export async function consentReport(search: TrailSearch, consentId: string): Promise<ConsentReport> {
  const { events, searched } = await search.find({ members: ['consent'], values: [consentId] });
  const ofKind = (kind: string) => events.filter((event) => textIn(event, 'kind') === kind);
  const reads = readsIn(ofKind('request'));
  return { reads, changes: consentsIn(ofKind('consent'))[0]?.changes ?? [], searched };
}

function requestsAt(events: readonly StoredEvent[], isBank: boolean): readonly StoredEvent[] {
  return events.filter(
    (event) => textIn(event, 'kind') === 'request' && (textIn(event, 'listener') === 'bank') === isBank,
  );
}

function lookupsIn(events: readonly StoredEvent[]): LookupsOfCustomer[] {
  const groups = grouped(requestsAt(events, true), (event) =>
    JSON.stringify(['by', 'endpoint'].map((member) => textIn(event, member))),
  );
  return [...groups].map(([key, requests]) => {
    const [by = '', endpoint = ''] = JSON.parse(key) as string[];
    const times = requests.map((request) => textIn(request, 'at'));
    return { by, endpoint, requests: requests.length, first: times[0] ?? '', last: times.at(-1) ?? '' };
  });
}

function readsIn(events: readonly StoredEvent[]): ReadsOfCustomer[] {
  const groups = grouped(requestsAt(events, false), (event) =>
    JSON.stringify(['tpp', 'issuer', 'consent', 'endpoint'].map((member) => textIn(event, member))),
  );
  return [...groups].map(([key, requests]) => {
    const [tpp = '', issuer = '', consent = '', endpoint = ''] = JSON.parse(key) as string[];
    const answered = requests.filter((request) => (numberIn(request, 'status') ?? 500) < 400);
    const times = requests.map((request) => textIn(request, 'at'));
    return {
      tpp,
      issuer,
      consent,
      endpoint,
      answered: answered.length,
      attended: answered.filter((request) => request['attended'] === true).length,
      refused: requests.length - answered.length,
      first: times[0] ?? '',
      last: times.at(-1) ?? '',
    };
  });
}

function consentsIn(events: readonly StoredEvent[]): ConsentOfCustomer[] {
  return [...grouped(events, (event) => textIn(event, 'consent'))].map(([consent, ofConsent]) => ({
    consent,
    tpp: firstText(ofConsent, 'tpp'),
    issuer: firstText(ofConsent, 'issuer'),
    permissions: ofConsent.map((event) => textsIn(event, 'permissions')).find((codes) => codes.length > 0) ?? [],
    changes: ofConsent.map((event) => ({
      at: textIn(event, 'at'),
      event: textIn(event, 'event'),
      by: textIn(event, 'by'),
      reason: textIn(event, 'reason'),
    })),
  }));
}

function firstText(events: readonly StoredEvent[], member: string): string {
  return events.map((event) => textIn(event, member)).find(Boolean) ?? '';
}

function grouped(events: readonly StoredEvent[], keyOf: (event: StoredEvent) => string): Map<string, StoredEvent[]> {
  const groups = new Map<string, StoredEvent[]>();
  for (const event of events) {
    const key = keyOf(event);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [event]);
    else group.push(event);
  }
  return groups;
}
