import type { FastifyInstance } from 'fastify';
import { Type, type Static } from 'typebox';
import type { GatewayConfig } from '../config/config.js';
import type { Rate } from '../config/rate-limits.js';
import { formatDateTime } from '../open-banking/date-times.js';
import type { PlannedOutage } from '../outages/planned-outage.js';
import { serviceStates, type ServiceState } from '../outages/service-status.js';
import { eventKeysPath } from '../events/event-keys.controller.js';
import { mostEvents } from '../events/events.schema.js';
import { longPollSeconds, waitingPollsOfTpp } from '../events/waiting-polls.js';
import type { Profile } from '../profiles/profile.js';
import type { WindowRule } from '../endpoint/endpoint-rule.js';
import { endpoints, type Endpoint } from '../resources/endpoints.js';
import { debtorSchemes } from '../versions/shared/funds.js';
import { documentPath, versionsNamed } from '../versions/versions.js';
import type { FactsOfCore } from './facts-of-cores.js';

export const publishedFactsPath = '/.well-known/account-information';

const Endpoints = Type.Array(Type.String());

/** For each TPP: the requests a second in the long run, and the requests at once. */
const RateLimit = Type.Object({ PerSecond: Type.Number(), Burst: Type.Integer() });

const dateTime = Type.String({ format: 'date-time' });

const PublishedFactsSchema = Type.Object({
  Status: Type.Enum([...serviceStates]),
  StatusSinceDateTime: dateTime,
  PlannedOutages: Type.Array(Type.Object({ FromDateTime: dateTime, ToDateTime: dateTime, Text: Type.String() })),
  /** The oldest first. A consent of one version, and its token, works in that version and in later ones. */
  Versions: Type.Array(
    Type.Object({
      Name: Type.String(),
      Release: Type.String(),
      BaseUrl: Type.String(),
      /** Absent where the bank confirms no funds. */
      FundsBaseUrl: Type.Optional(Type.String()),
      Document: Type.String(),
      Endpoints,
    }),
  ),
  Profile: Type.String(),
  Products: Type.Record(Type.String(), Endpoints),
  RefusedPermissions: Type.Array(Type.String()),
  ConsentHistory: Type.Object({ DatesInFuture: Type.Literal('Refused'), AbsentDates: Type.Literal('OpenEnded') }),
  AuthenticationWindow: Type.Object({
    Seconds: Type.Integer(),
    ExemptEndpoints: Endpoints,
    ExemptInRecentHistory: Endpoints,
    RecentHistoryDays: Type.Number(),
  }),
  Transactions: Type.Object({
    PageSize: Type.Integer(),
    MaxTransactionHistory: Type.Optional(Type.String()),
    Pending: Type.Boolean(),
    PendingKeepsTransactionId: Type.Optional(Type.Boolean()),
  }),
  /** A TPP that keeps to them is never refused. It may get more where the bank runs several processes. */
  RateLimits: Type.Object({
    CountedBy: Type.Literal('EachProcess'),
    Requests: Type.Optional(RateLimit),
    Consents: Type.Optional(RateLimit),
  }),
  /** Aggregated polling alone: the bank sends nothing by itself, and takes no subscription. */
  Events: Type.Object({
    Issuer: Type.String(),
    KeysUrl: Type.String(),
    MaxEvents: Type.Integer(),
    LongPollSeconds: Type.Integer(),
    WaitingPolls: Type.Object({ CountedBy: Type.Literal('EachProcess'), Limit: Type.Integer() }),
    RetentionDays: Type.Integer(),
  }),
  /** Absent where the bank confirms no funds. */
  FundsConfirmation: Type.Optional(
    Type.Object({ Overdraft: Type.String(), AccountName: Type.String(), SchemeNames: Type.Array(Type.String()) }),
  ),
  UnattendedAccess: Type.Object({
    CountedBy: Type.Literal('AllProcesses'),
    Mode: Type.String(),
    Limit: Type.Integer(),
    PeriodHours: Type.Integer(),
  }),
});
export type PublishedFacts = Static<typeof PublishedFactsSchema>;

/** The state of the service now, and the planned outages that have not ended. */
export interface ShownService {
  readonly state: ServiceState;
  /** When this process first found the state; of a planned outage, when it began. Milliseconds since 1970. */
  readonly sinceMs: number;
  readonly outages: readonly PlannedOutage[];
}

type FactsConfig = Pick<GatewayConfig, 'baseUrl' | 'rateLimits'>;

/**
 * Publishes at `GET /.well-known/account-information` the facts that a TPP could otherwise learn only by trying: the
 * products of each endpoint, the exemptions from the authentication window, and the abilities of the bank's core; and the
 * state of the service.
 */
export function registerPublishedFacts(
  server: FastifyInstance,
  config: FactsConfig,
  profile: Profile,
  core: FactsOfCore,
  service: () => Promise<ShownService>,
): void {
  const lasting = factsOf(config, profile, core);
  server.get(
    publishedFactsPath,
    {
      // Many monitors ask with HEAD.
      exposeHeadRoute: true,
      config: { declaration: { kind: 'public', name: 'published-facts' } },
      schema: { hide: true, response: { 200: PublishedFactsSchema } },
    },
    async (_request, reply) =>
      reply.header('cache-control', 'public, max-age=1').send({ ...present(await service()), ...lasting }),
  );
}

function present({ state, sinceMs, outages }: ShownService): Pick<PublishedFacts, StateMember> {
  return {
    Status: state,
    StatusSinceDateTime: formatDateTime(new Date(sinceMs)),
    PlannedOutages: outages.map(({ fromMs, toMs, text }) => ({
      FromDateTime: formatDateTime(new Date(fromMs)),
      ToDateTime: formatDateTime(new Date(toMs)),
      Text: text,
    })),
  };
}

type StateMember = 'Status' | 'StatusSinceDateTime' | 'PlannedOutages';

function factsOf(config: FactsConfig, profile: Profile, core: FactsOfCore): Omit<PublishedFacts, StateMember> {
  const under = (rule: WindowRule): Endpoint[] =>
    endpoints.filter(({ name, window }) => window === rule && profile.endpoints[name]).map(({ name }) => name);
  return {
    Versions: versionFacts(config, profile),
    Profile: profile.name,
    Products: Object.fromEntries(
      Object.entries(profile.products).map(([product, { endpoints: listed }]) => [product, [...listed]]),
    ),
    RefusedPermissions: [...profile.refusedPermissions],
    ConsentHistory: { DatesInFuture: 'Refused', AbsentDates: 'OpenEnded' },
    AuthenticationWindow: {
      Seconds: profile.rules.authenticationWindowSeconds,
      ExemptEndpoints: under('exempt'),
      ExemptInRecentHistory: under('recent-history'),
      RecentHistoryDays: profile.rules.exemptHistoryDays,
    },
    Transactions: {
      PageSize: profile.rules.pageSize,
      ...(core.maxTransactionHistory !== undefined && { MaxTransactionHistory: core.maxTransactionHistory }),
      Pending: core.pending !== 'none',
      ...(core.pending !== 'none' && { PendingKeepsTransactionId: core.pending === 'id-kept' }),
    },
    RateLimits: {
      CountedBy: 'EachProcess',
      ...(config.rateLimits.requests && { Requests: published(config.rateLimits.requests) }),
      ...(config.rateLimits.consents && { Consents: published(config.rateLimits.consents) }),
    },
    Events: eventFacts(config, profile),
    ...fundsFacts(profile),
    UnattendedAccess: {
      CountedBy: 'AllProcesses',
      Mode: profile.rules.unattendedAccess.mode,
      Limit: profile.rules.unattendedAccess.limit,
      PeriodHours: 24,
    },
  };
}

function versionFacts({ baseUrl }: FactsConfig, profile: Profile): PublishedFacts['Versions'] {
  return versionsNamed(profile.rules.versions).map((version) => ({
    Name: version.name,
    Release: version.release,
    BaseUrl: `${baseUrl}${version.basePath}`,
    ...(profile.rules.fundsConfirmation && { FundsBaseUrl: `${baseUrl}${version.fundsPath}` }),
    Document: `${baseUrl}${documentPath(version)}`,
    Endpoints: endpoints
      .filter(({ name }) => profile.endpoints[name] && version.forms.some(({ rule }) => rule.name === name))
      .map(({ name }) => name),
  }));
}

function eventFacts({ baseUrl }: FactsConfig, { rules }: Profile): PublishedFacts['Events'] {
  return {
    Issuer: baseUrl,
    KeysUrl: `${baseUrl}${eventKeysPath}`,
    MaxEvents: mostEvents,
    LongPollSeconds: longPollSeconds,
    WaitingPolls: { CountedBy: 'EachProcess', Limit: waitingPollsOfTpp },
    RetentionDays: rules.eventDays,
  };
}

function fundsFacts({ rules: { fundsConfirmation: rule } }: Profile): Pick<PublishedFacts, 'FundsConfirmation'> {
  if (rule === undefined) return {};
  return {
    FundsConfirmation: {
      Overdraft: rule.countOverdraft ? 'Counts' : 'DoesNotCount',
      AccountName: rule.name === 'same' ? 'MustBeTheSame' : 'NotCompared',
      SchemeNames: Object.keys(debtorSchemes),
    },
  };
}

function published({ perSecond, burst }: Rate): Static<typeof RateLimit> {
  return { PerSecond: perSecond, Burst: burst };
}
