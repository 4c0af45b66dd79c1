import { ROOT_CONTEXT, type Span, SpanKind, SpanStatusCode, trace as api, type Tracer } from '@opentelemetry/api';
import { parseTraceParent, setGlobalErrorHandler } from '@opentelemetry/core';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { detectResources, envDetector, resourceFromAttributes } from '@opentelemetry/resources';
import { BasicTracerProvider, BatchSpanProcessor } from '@opentelemetry/sdk-trace-base';
import type { FastifyBaseLogger } from 'fastify';
import type { CheckName } from '../open-banking/checks.js';
import { packageVersion } from '../persistence/package-root.js';
import type { CheckSpan } from '../request/request-trace.js';
import type { EndedRequest } from './ended-request.js';
import { faultCode } from './fault-record.js';
import type { RequestSpan, TracedRequest, Tracing } from './tracing.js';

/** How long a stop waits for a collector. */
const closePatienceMs = 3_000;
/** The methods that the semantic conventions for HTTP know; any other is `_OTHER`. */
const knownMethods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'CONNECT', 'OPTIONS', 'TRACE', 'PATCH', 'QUERY']);

/**
 * Traces of requests by OpenTelemetry. Its library reads the sampler, the batches, the headers and the address of the
 * collector from the variables `OTEL_*`. This module is loaded only where traces are taken.
 */
export function openTracing(log: Pick<FastifyBaseLogger, 'warn'>): Tracing {
  // A span that cannot be sent is lost: no request waits for a collector.
  const lost = (error: unknown): void =>
    log.warn({ code: faultCode(error) }, 'spans could not be sent to the collector');
  setGlobalErrorHandler(lost);
  const service = { 'service.name': 'account-information-gateway', 'service.version': packageVersion() };
  const provider = new BasicTracerProvider({
    resource: resourceFromAttributes(service).merge(detectResources({ detectors: [envDetector] })),
    spanProcessors: [new BatchSpanProcessor(new OTLPTraceExporter())],
  });
  const tracer = provider.getTracer('account-information-gateway');
  return {
    begin: (request) => beginRequest(tracer, request),
    async close() {
      const late = new Promise<void>((resolve) => setTimeout(resolve, closePatienceMs).unref());
      await Promise.race([provider.shutdown().catch(lost), late]);
    },
  };
}

function beginRequest(tracer: Tracer, { method, route, basePath, traceparent }: TracedRequest): RequestSpan {
  const parent = typeof traceparent === 'string' ? parseTraceParent(traceparent) : null;
  const isKnown = knownMethods.has(method);
  const name = isKnown ? method : 'HTTP';
  const span = tracer.startSpan(
    route === undefined ? name : `${name} ${route.slice(basePath.length)}`,
    {
      kind: SpanKind.SERVER,
      attributes: {
        'http.request.method': isKnown ? method : '_OTHER',
        ...(route !== undefined && { 'http.route': route }),
      },
    },
    parent === null ? ROOT_CONTEXT : api.setSpanContext(ROOT_CONTEXT, { ...parent, isRemote: true }),
  );
  const context = api.setSpan(ROOT_CONTEXT, span);
  return {
    check: (check) => beginCheck(tracer.startSpan(`check ${check}`, {}, context), check),
    read(core, read) {
      const attributes = { 'gateway.core': core, 'gateway.core.read': read };
      const reading = tracer.startSpan(`core ${read}`, { kind: SpanKind.CLIENT, attributes }, context);
      return {
        traceparent: traceparentOf(reading),
        end(outcome) {
          reading.setAttribute('gateway.core.outcome', outcome);
          if (outcome !== 'ok') reading.setStatus({ code: SpanStatusCode.ERROR });
          reading.end();
        },
      };
    },
    end: (request) => endRequest(span, request),
  };
}

function beginCheck(span: Span, check: CheckName): CheckSpan {
  span.setAttribute('gateway.check', check);
  return {
    end(refused) {
      if (refused) span.setAttribute('gateway.refused', true);
      span.end();
    },
  };
}

/** No customer's data: no URL, query, header, account or consent, which lead to a customer. */
function endRequest(span: Span, request: EndedRequest): void {
  const { id, status = 0, reason, issuer, tpp, endpoint, apiVersion, refusedBy } = request;
  span.setAttributes({
    ...given('gateway.endpoint', endpoint),
    ...given('gateway.api.version', apiVersion),
    ...given('gateway.issuer', issuer),
    ...given('gateway.tpp', tpp),
    ...given('gateway.refused_by', refusedBy),
    ...given('gateway.reason', reason),
    'gateway.interaction_id': id,
    // Nothing was sent to a caller that had gone.
    ...(status !== 499 && { 'http.response.status_code': status }),
    ...((status >= 500 || status === 499) && { 'error.type': reason ?? String(status) }),
  });
  if (status >= 500) span.setStatus({ code: SpanStatusCode.ERROR });
  span.end();
}

function given(name: string, value: string | undefined): Record<string, string> {
  return value === undefined ? {} : { [name]: value };
}

function traceparentOf(span: Span): string {
  const { traceId, spanId, traceFlags } = span.spanContext();
  return `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, '0')}`;
}
