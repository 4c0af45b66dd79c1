import { Counter, Histogram, type Registry } from 'prom-client';
import { durationBuckets } from './duration-buckets.js';
import type { EndedRequest } from './ended-request.js';
import { scrapeGauge } from './scraped-metrics.js';
import { TppLabels } from './tpp-labels.js';

const methods: ReadonlySet<string> = new Set(['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS']);

/** Counts requests, by their endpoints and by their TPPs. */
export class RequestMetrics {
  private readonly tpps = new TppLabels();
  private readonly durations: Histogram<'endpoint' | 'version' | 'method' | 'status'>;
  private readonly outcomes: Counter<'endpoint' | 'version' | 'status' | 'reason'>;
  private readonly ofTpps: Counter<'issuer' | 'tpp' | 'outcome'>;
  private readonly quotaRefusals: Counter<'issuer' | 'tpp' | 'reason'>;
  private readonly unattended: Counter<'outcome'>;

  constructor(private readonly registry: Registry) {
    const registers = [registry];
    this.durations = new Histogram({
      name: 'gateway_request_duration_seconds',
      help: 'Requests by endpoint and status, 499 where the caller had gone',
      labelNames: ['endpoint', 'version', 'method', 'status'],
      buckets: durationBuckets,
      registers,
    });
    this.outcomes = new Counter({
      name: 'gateway_requests_total',
      help: 'Requests by endpoint, version of the API, status and the reason of a refusal or a failure',
      labelNames: ['endpoint', 'version', 'status', 'reason'],
      registers,
    });
    this.ofTpps = new Counter({
      name: 'gateway_tpp_requests_total',
      help: 'Requests of each TPP by outcome: answered, refused (4xx), failed (5xx), gone (499)',
      labelNames: ['issuer', 'tpp', 'outcome'],
      registers,
    });
    this.quotaRefusals = new Counter({
      name: 'gateway_quota_refusals_total',
      help: 'Requests of each TPP that were answered 429, by reason',
      labelNames: ['issuer', 'tpp', 'reason'],
      registers,
    });
    this.unattended = new Counter({
      name: 'gateway_unattended_requests_total',
      help: 'Requests without the customer by outcome: within the limit, beyond it and answered, refused',
      labelNames: ['outcome'],
      registers,
    });
  }

  count(request: EndedRequest): void {
    const { endpoint = 'unknown', apiVersion: version = 'none', reason = 'none', unattended } = request;
    const { method = '', status: code = 0, lastByteMs = 0 } = request;
    const status = String(code);
    this.durations.observe({ endpoint, version, method: labelOfMethod(method), status }, lastByteMs / 1_000);
    this.outcomes.inc({ endpoint, version, status, reason });
    const { issuer, tpp } = this.tpps.labelOf(request.issuer, request.tpp);
    this.ofTpps.inc({ issuer, tpp, outcome: outcomeOf(code) });
    if (code === 429) this.quotaRefusals.inc({ issuer, tpp, reason });
    if (unattended !== undefined) this.unattended.inc({ outcome: unattended });
  }

  /** See {@link Metrics.quotas}. */
  showQuotas(quotas: () => readonly { quota: string; usedBy: (tppKey: string) => number }[]): void {
    scrapeGauge(
      this.registry,
      'gateway_tpp_quota_used_ratio',
      'Used share of a TPP’s limit in this process, from 0 to 1; above 1 where the TPP must wait longer',
      ['issuer', 'tpp', 'quota'],
      () =>
        quotas().flatMap(({ quota, usedBy }) =>
          [...this.tpps.all()].map(([key, label]) => [{ ...label, quota }, usedBy(key)] as const),
        ),
    );
  }
}

/** Node reads about forty methods, and any caller can send each to each path. */
function labelOfMethod(method: string): string {
  return methods.has(method) ? method : 'other';
}

function outcomeOf(status: number): 'answered' | 'refused' | 'failed' | 'gone' {
  if (status === 499) return 'gone';
  if (status >= 500) return 'failed';
  return status >= 400 ? 'refused' : 'answered';
}
