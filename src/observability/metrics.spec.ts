import { beforeEach, describe, expect, it } from '@jest/globals';
import { METHODS } from 'node:http';
import { durationBuckets } from './duration-buckets.js';
import type { EndedRequest } from './ended-request.js';
import { Metrics } from './metrics.js';

let metrics: Metrics;
beforeEach(() => {
  metrics = new Metrics({ warn: () => undefined });
});

const request = (members: Partial<EndedRequest> = {}): EndedRequest => ({
  id: 'id',
  issuer: 'https://as.bank.example',
  tpp: 'moneyview',
  method: 'GET',
  endpoint: 'balances',
  apiVersion: 'v3.1',
  status: 200,
  lastByteMs: 20,
  ...members,
});

/** The series of a metric, without its values. */
const seriesOf = async (name: string): Promise<string[]> =>
  (await metrics.registry.metrics())
    .split('\n')
    .filter((line) => line.startsWith(`${name}{`) || line.startsWith(`${name} `))
    .map((line) => line.slice(0, line.lastIndexOf(' ')));
const valueOf = async (series: string): Promise<string | undefined> =>
  (await metrics.registry.metrics())
    .split('\n')
    .find((line) => line.startsWith(`${series} `))
    ?.split(' ')
    .at(-1);

describe('a request', () => {
  it('is counted by endpoint, version, status and reason, and by TPP', async () => {
    metrics.request(request());
    metrics.request(request({ status: 403, reason: 'window-closed' }));
    expect(await seriesOf('gateway_requests_total')).toEqual([
      'gateway_requests_total{endpoint="balances",version="v3.1",status="200",reason="none"}',
      'gateway_requests_total{endpoint="balances",version="v3.1",status="403",reason="window-closed"}',
    ]);
    const tpp = 'issuer="https://as.bank.example",tpp="moneyview"';
    expect(await seriesOf('gateway_tpp_requests_total')).toEqual([
      `gateway_tpp_requests_total{${tpp},outcome="answered"}`,
      `gateway_tpp_requests_total{${tpp},outcome="refused"}`,
    ]);
  });

  it.each([
    [200, 'answered'],
    [399, 'answered'],
    [400, 'refused'],
    [498, 'refused'],
    [499, 'gone'],
    [500, 'failed'],
    [503, 'failed'],
  ])('of status %i is %s', async (status, outcome) => {
    metrics.request(request({ status }));
    expect(await seriesOf('gateway_tpp_requests_total')).toEqual([expect.stringContaining(`outcome="${outcome}"`)]);
  });

  it('that a quota refused is counted for its TPP by the reason', async () => {
    metrics.request(request({ status: 429, reason: 'rate-limit' }));
    metrics.request(request({ status: 403, reason: 'window-closed' }));
    expect(await seriesOf('gateway_quota_refusals_total')).toEqual([
      'gateway_quota_refusals_total{issuer="https://as.bank.example",tpp="moneyview",reason="rate-limit"}',
    ]);
  });

  it('of exactly the regulator’s 750 ms is within the benchmark', async () => {
    metrics.request(request({ lastByteMs: 750 }));
    metrics.request(request({ lastByteMs: 750.1 }));
    const bucket = 'endpoint="balances",version="v3.1",method="GET",status="200"}';
    expect(await valueOf(`gateway_request_duration_seconds_bucket{le="0.75",${bucket}`)).toBe('1');
    expect(await valueOf(`gateway_request_duration_seconds_bucket{le="1",${bucket}`)).toBe('2');
  });
});

describe('the buckets of durations', () => {
  it('have buckets so narrow that percentiles from 5 ms to 3 s are wrong by a factor of 2.5 at most', () => {
    const within = durationBuckets.filter((bound) => bound >= 0.005 && bound <= 3);
    expect([within[0], within.at(-1)]).toEqual([0.005, 3]);
    for (const [index, bound] of within.slice(1).entries())
      expect(bound / (within[index] as number)).toBeLessThanOrEqual(2.5);
  });
});

describe('the number of series', () => {
  it('is bounded for TPPs: those beyond 500 are counted as one', async () => {
    for (let index = 0; index < 2_000; index++) metrics.request(request({ tpp: `tpp-${index}` }));
    expect(await seriesOf('gateway_tpp_requests_total')).toHaveLength(501);
    expect(await valueOf('gateway_tpp_requests_total{issuer="other",tpp="other",outcome="answered"}')).toBe('1500');
    metrics.request(request({ tpp: 'tpp-0' }));
    expect(
      await valueOf('gateway_tpp_requests_total{issuer="https://as.bank.example",tpp="tpp-0",outcome="answered"}'),
    ).toBe('2');
  });

  it('does not grow with requests of unknown callers, nor its labels with a client id of any length', async () => {
    metrics.request(request({ tpp: undefined, issuer: undefined, status: 401 }));
    metrics.request(request({ tpp: 'x'.repeat(129) }));
    expect(await seriesOf('gateway_tpp_requests_total')).toEqual([
      'gateway_tpp_requests_total{issuer="other",tpp="other",outcome="refused"}',
      'gateway_tpp_requests_total{issuer="other",tpp="other",outcome="answered"}',
    ]);
    metrics.request(request({ tpp: 'y'.repeat(128) }));
    expect(await seriesOf('gateway_tpp_requests_total')).toHaveLength(3);
  });

  it('keeps a client id with quotes and line feeds inside its label', async () => {
    metrics.request(request({ tpp: 'a"} 7\ngateway_forged 1' }));
    const lines = (await metrics.registry.metrics()).split('\n');
    expect(lines.filter((line) => line.startsWith('gateway_forged'))).toEqual([]);
  });

  it('counts TPPs of two issuers separately that have the same client id', async () => {
    metrics.request(request({ issuer: 'one' }));
    metrics.request(request({ issuer: 'two' }));
    expect(await seriesOf('gateway_tpp_requests_total')).toHaveLength(2);
  });

  it('is bounded for methods: those that no endpoint has are counted as one', async () => {
    for (const method of METHODS) metrics.request(request({ method, status: 405 }));
    const count = await seriesOf('gateway_request_duration_seconds_count');
    expect(count).toHaveLength(8);
    expect(count.filter((series) => series.includes('method="other"'))).toHaveLength(1);
  });
});

describe('a scrape', () => {
  it('shows the build, the pool, the keys, the quotas and the reads of each core as they are then', async () => {
    let waiting = 0;
    metrics.build('1.2.3', 'profile-2');
    metrics.databasePool(() => ({ inUse: 3, idle: 2, most: 10, waiting }));
    metrics.issuerKeys(() => [{ issuer: 'one', ageMs: 1_500 }]);
    metrics.quotas(() => [{ quota: 'requests', usedBy: (key) => (key === 'one moneyview' ? 0.25 : 0) }]);
    metrics.coreReads('ledger', () => ({ underWay: 4, most: 64 }));
    metrics.request(request({ issuer: 'one' }));
    waiting = 7;
    const text = await metrics.registry.metrics();
    for (const line of [
      'gateway_build_info{version="1.2.3",profile="profile-2"} 1',
      'gateway_database_connections{state="in_use"} 3',
      'gateway_database_connections{state="idle"} 2',
      'gateway_database_connections{state="most"} 10',
      'gateway_database_waiting_queries 7',
      'gateway_issuer_keys_age_seconds{issuer="one"} 1.5',
      'gateway_tpp_quota_used_ratio{issuer="one",tpp="moneyview",quota="requests"} 0.25',
      'gateway_core_reads_at_a_time{core="ledger",state="under_way"} 4',
      'gateway_core_reads_at_a_time{core="ledger",state="most"} 64',
    ])
      expect(text).toContain(`\n${line}\n`);
  });

  it('shows no connection of an embedded database', async () => {
    metrics.databasePool(() => undefined);
    expect(await seriesOf('gateway_database_connections')).toEqual([]);
  });

  it('holds no part of a closed gateway, because prom-client keeps the registry up to the end of the process', () => {
    metrics.onApplicationShutdown();
    expect(metrics.registry.getMetricsAsArray()).toEqual([]);
  });
});

describe('a certificate', () => {
  it('has its remaining days, or is said to be unreadable', async () => {
    const shown = [
      { setting: 'TLS_CERT_FILE', expiresAtMs: 86_400_000, isRefused: () => false },
      { setting: 'MTLS_CERT_FILE', expiresAtMs: 86_400_000, isRefused: () => true },
      { setting: 'CORE_CERT_FILE', expiresAtMs: undefined },
    ];
    metrics.certificates(
      () => shown,
      () => 0,
    );
    expect(await seriesOf('gateway_certificate_expiry_days')).toEqual([
      'gateway_certificate_expiry_days{certificate="TLS_CERT_FILE"}',
      'gateway_certificate_expiry_days{certificate="MTLS_CERT_FILE"}',
    ]);
    expect(await valueOf('gateway_certificate_expiry_days{certificate="TLS_CERT_FILE"}')).toBe('1');
    expect(await valueOf('gateway_certificate_unreadable{certificate="TLS_CERT_FILE"}')).toBe('0');
    expect(await valueOf('gateway_certificate_unreadable{certificate="MTLS_CERT_FILE"}')).toBe('1');
    expect(await valueOf('gateway_certificate_unreadable{certificate="CORE_CERT_FILE"}')).toBe('1');
  });
});
