import { count, type Status } from './status.js';

type Row = readonly [title: string, text: string];

/** The status for a reader, with the answer last. */
export function statusText(origin: string, status: Status): string {
  const { safeToRestart, reasons, notes } = status;
  return [
    ...[...ofGateway(origin, status), ...ofKeys(status), ...ofWork(status)].map(
      ([title, text]) => `${title.padEnd(15)} ${text}`,
    ),
    '',
    `Safe to restart now: ${safeToRestart ? 'yes' : 'no'}`,
    ...reasons.map((reason) => `  no: ${reason}`),
    ...notes.map((note) => `  note: ${note}`),
  ].join('\n');
}

function ofGateway(origin: string, { ready, faults, version, profile, processes, startedAt, others }: Status): Row[] {
  const running = count(processes, 'process', 'processes');
  return [
    ['Gateway', `${origin}, version ${version}, ${profile}, ${running} since ${startedAt}`],
    ['Ready', ready ? 'yes' : `no: ${faults.join('; ')}`],
    ...others.map((other): Row => [
      'Other gateway',
      `${other.origin}, ${other.ready ? 'ready' : other.answers ? 'not ready' : 'no gateway answers there'}`,
    ]),
  ];
}

function ofKeys({ certificates, signingKeys, issuerKeys }: Status): Row[] {
  return [
    ...certificates.map(({ setting, days, endsAt }): Row => [
      'Certificate',
      `${setting} expires ${endsAt.slice(0, 10)}, in ${days.toFixed(1)} days`,
    ]),
    ...signingKeys.map(({ algorithm, days }): Row => [
      'Signing key',
      days < 0
        ? `${algorithm}, which begins to sign in ${(-days * 1_440).toFixed(0)} min`
        : `${algorithm}, ${days.toFixed(1)} days old`,
    ]),
    ...issuerKeys.map(({ issuer, ageSeconds }): Row => [
      'Issuer’s keys',
      `${issuer}, fetched ${ageSeconds.toFixed(0)} s ago`,
    ]),
  ];
}

function ofWork({ database, cores, trail, events, openJourneys }: Status): Row[] {
  const unrooted = count(trail.unrootedSegments, 'segment', 'segments');
  return [
    ['Database', `${count(database.waitingQueries, 'query waits', 'queries wait')} for a connection`],
    ...cores.map(({ core, readsUnderWay, mostReads, waitingReads, openCircuits }): Row => [
      'Core',
      `${core}: ${readsUnderWay} of at most ${mostReads} reads under way, ${waitingReads} waiting, ` +
        count(openCircuits, 'open circuit', 'open circuits'),
    ]),
    ['Trail', `events wait ${trail.lagSeconds.toFixed(1)} s, ${trail.lostEvents} lost, ${unrooted} without a root`],
    [
      'Events',
      `${count(events.waiting, 'event waits', 'events wait')} for a TPP, the oldest ${(events.oldestSeconds / 86_400).toFixed(1)} days`,
    ],
    ...(openJourneys === undefined
      ? []
      : [['Authorisations', `${count(openJourneys, 'customer', 'customers')} in the middle of one`] as const]),
  ];
}
