import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { openTracing } from '../../src/observability/otel-tracing.js';
import type { Tracing } from '../../src/observability/tracing.js';
import type { CoreContext } from '../../packages/core-adapter/core.adapter.js';
import { Stack, type ConsentedCustomer } from '../support/stack.js';
import { freePort } from '../support/free-port.js';
import { until } from '../support/until.js';
import { withReads } from '../support/wrapped-adapter.js';
import { OtlpReceiver, type ReceivedSpan } from './otlp-receiver.js';

const [traceId, parentId] = ['0af7651916cd43dd8448eb211c80319c', 'b7ad6b7169203331'];
const sampled = `00-${traceId}-${parentId}-01`;
const [server, client] = [2, 3];
/** Besides the endpoint: the library gives an export up after this time, in milliseconds. */
const settings = { OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=test', OTEL_EXPORTER_OTLP_TIMEOUT: '500' };

describe('the trace of a request', () => {
  let receiver: OtlpReceiver;
  let tracing: Tracing;
  let stack: Stack;
  let customer: ConsentedCustomer;
  let warnings: unknown[][];
  let contexts: CoreContext[];

  async function start(endpoint: string): Promise<void> {
    process.env['OTEL_EXPORTER_OTLP_ENDPOINT'] = endpoint;
    Object.assign(process.env, settings);
    warnings = [];
    contexts = [];
    tracing = openTracing({ warn: (...said: unknown[]) => void warnings.push(said) } as never);
    stack = await Stack.start({
      tracing,
      adapter: (ledger) =>
        withReads(ledger, {
          balances: async (ref, context) => {
            contexts.push(context);
            return ledger.balances(ref, context);
          },
        }),
    });
    customer = await stack.consent({ persona: 'saver' });
  }
  beforeEach(async () => {
    receiver = await OtlpReceiver.start();
  });
  afterEach(async () => {
    await stack.close();
    await receiver.close();
    for (const name of ['OTEL_EXPORTER_OTLP_ENDPOINT', ...Object.keys(settings)]) delete process.env[name];
  });

  const balances = (): string => `/accounts/${customer.accountId('Savings')}/balances`;
  const ask = (path: string, headers: Record<string, string> = {}) =>
    stack.ask(path, { token: customer.token, headers });
  /** Every span after the stop, which sends them. */
  async function received(): Promise<readonly ReceivedSpan[]> {
    await tracing.close();
    return receiver.spans;
  }
  const requestsNamed = (spans: readonly ReceivedSpan[], name: string) =>
    spans.filter((span) => span.kind === server && span.name === name);

  it('is one span with its checks and the read of the core as children', async () => {
    await start(receiver.url);
    await ask(balances());
    const spans = await received();
    const [request, ...more] = requestsNamed(spans, 'GET /accounts/{AccountId}/balances');
    expect(more).toEqual([]);
    expect(request?.parentSpanId).toBeFalsy();
    expect(request?.attributes).toMatchObject({
      'http.request.method': 'GET',
      'http.route': '/open-banking/v3.1/aisp/accounts/{AccountId}/balances',
      'http.response.status_code': 200,
      'gateway.endpoint': 'balances',
      'gateway.api.version': 'v3.1',
      'gateway.tpp': 'tpp-one',
    });
    const children = spans.filter((span) => span.traceId === request?.traceId && span !== request);
    expect(children.map(({ name }) => name)).toEqual([
      'check host',
      'check token',
      'check token',
      'check token',
      'check rate limit',
      'check path',
      'check method',
      'check live consent',
      'check headers',
      'check body',
      'check scope',
      'check consent version',
      'check permission',
      'check account',
      'check query',
      'check authentication window',
      'check unattended access',
      'core balances',
    ]);
    for (const child of children) expect(child.parentSpanId).toBe(request?.spanId);
    expect(children.at(-1)).toMatchObject({
      kind: client,
      attributes: { 'gateway.core': 'ledger', 'gateway.core.read': 'balances', 'gateway.core.outcome': 'ok' },
    });
    expect(receiver.resource).toMatchObject({
      'service.name': 'account-information-gateway',
      'deployment.environment.name': 'test',
    });
  });

  it('continues the trace of the TPP, and the core continues it from the read', async () => {
    await start(receiver.url);
    await ask(balances(), { traceparent: sampled });
    const spans = await received();
    const [request] = requestsNamed(spans, 'GET /accounts/{AccountId}/balances');
    expect(request).toMatchObject({ traceId, parentSpanId: parentId });
    const read = spans.find(({ name }) => name === 'core balances');
    expect(read).toMatchObject({ traceId, parentSpanId: request?.spanId });
    expect(contexts.map((context) => context.traceparent)).toEqual([`00-${traceId}-${read?.spanId}-01`]);
  });

  it('is not sent where the TPP did not sample it, and the core is informed', async () => {
    await start(receiver.url);
    await ask(balances(), { traceparent: `00-${traceId}-${parentId}-00` });
    expect((await received()).filter((span) => span.traceId === traceId)).toEqual([]);
    expect(contexts[0]?.traceparent).toMatch(new RegExp(`^00-${traceId}-[0-9a-f]{16}-00$`));
  });

  it('begins afresh at a traceparent that is not valid', async () => {
    const wrong = {
      text: 'abc',
      'no ids': `00-${'0'.repeat(32)}-${parentId}-01`,
      'no parent': `00-${traceId}-${'0'.repeat(16)}-01`,
      'the forbidden version': `ff-${traceId}-${parentId}-01`,
      'capital letters': sampled.toUpperCase(),
      'further members': `${sampled}-more`,
      'two of them': `${sampled}, ${sampled}`,
    };
    await start(receiver.url);
    for (const [fault, traceparent] of Object.entries(wrong))
      expect([fault, (await ask(balances(), { traceparent })).status]).toEqual([fault, 200]);
    const requests = requestsNamed(await received(), 'GET /accounts/{AccountId}/balances');
    expect(requests).toHaveLength(Object.keys(wrong).length);
    for (const request of requests) {
      expect(request.parentSpanId).toBeFalsy();
      expect(request.traceId).not.toBe(traceId);
    }
  });

  it('says where and why the gateway refused', async () => {
    await start(receiver.url);
    const { token, accountId } = await stack.consent({ persona: 'saver', permissions: ['ReadAccountsBasic'] });
    await stack.ask(`/accounts/${accountId('Savings')}/balances`, { token });
    const spans = await received();
    const [request] = requestsNamed(spans, 'GET /accounts/{AccountId}/balances');
    expect(request?.attributes).toMatchObject({
      'http.response.status_code': 403,
      'gateway.refused_by': 'permission',
      'gateway.reason': 'permission-missing',
    });
    expect(request?.status.code ?? 0).toBe(0);
    const checks = spans.filter(({ traceId: of, name }) => of === request?.traceId && name.startsWith('check '));
    expect(checks.at(-1)).toMatchObject({ name: 'check permission', attributes: { 'gateway.refused': true } });
  });

  it('holds no id, query or token by which a customer could be found', async () => {
    await start(receiver.url);
    await ask(balances());
    await ask(`/accounts/${customer.accountId('Savings')}/transactions?fromBookingDateTime=2026-06-01T00:00:00`);
    await ask('/not-a-path/of-a-customer?name=Jane');
    await stack.report(`/customers/${customer.customerRef}/consents`);
    await received();
    const sent = receiver.bodies.join('\n');
    expect(sent).toContain('GET /accounts/{AccountId}/transactions');
    expect(sent).toContain('{customerRef}');
    const found = [
      ...customer.accounts.flatMap(({ ref, AccountId }) => [ref, AccountId]),
      customer.consentId,
      customer.customerRef,
      customer.token,
      'fromBookingDateTime',
      '2026-06-01T00:00:00',
      'of-a-customer',
      'Jane',
    ];
    expect(found.filter((secret) => sent.includes(secret))).toEqual([]);
  });

  it('names a path that is not served by its method alone', async () => {
    await start(receiver.url);
    await ask('/not-a-path');
    expect(requestsNamed(await received(), 'GET')).toHaveLength(1);
  });

  it('is sent as JSON', async () => {
    await start(receiver.url);
    await ask(balances());
    await received();
    expect(receiver.types).toEqual(['application/json']);
    expect(receiver.bodies[0]).toContain('GET /accounts/{AccountId}/balances');
  });

  it('is lost where no collector listens: requests are answered, and the log says so', async () => {
    await start(`http://127.0.0.1:${await freePort()}`);
    expect((await ask(balances())).status).toBe(200);
    await tracing.close();
    await until(() => warnings.length > 0);
    expect(warnings).toEqual([[{ code: 'ECONNREFUSED' }, 'spans could not be sent to the collector']]);
    expect((await ask(balances())).status).toBe(200);
  });

  it('holds up no stop where the collector never answers', async () => {
    receiver.answers = false;
    await start(receiver.url);
    await ask(balances());
    await tracing.close();
    expect(receiver.bodies).toHaveLength(1);
  });

  it('is sent at the stop of the gateway at the latest', async () => {
    await start(receiver.url);
    await ask(balances());
    await stack.gateway.close();
    expect(requestsNamed(receiver.spans, 'GET /accounts/{AccountId}/balances')).toHaveLength(1);
  });

  it('omits the checks of health, which a balancer makes every second', async () => {
    await start(receiver.url);
    await stack.gateway.bankServer.inject('/health/live');
    await ask(balances());
    expect((await received()).filter(({ name }) => name.includes('health'))).toEqual([]);
  });
});
