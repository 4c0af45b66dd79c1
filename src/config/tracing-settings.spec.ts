import { describe, expect, it } from '@jest/globals';
import { Environment } from './environment.dto.js';
import { readTracing } from './tracing-settings.js';

const tracingOf = (settings: Partial<Environment>) => readTracing(Object.assign(new Environment(), settings));
const endpoint = 'http://collector.bank.example:4318';

describe('traces', () => {
  it.each<[string, Partial<Environment>]>([
    ['no variable of OpenTelemetry is set', {}],
    ['only the form is set', { OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json' }],
    ['the library is disabled', { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, OTEL_SDK_DISABLED: 'true' }],
    ['none are to be exported', { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, OTEL_TRACES_EXPORTER: 'none' }],
  ])('are not taken where %s', (_title, settings) => {
    expect(tracingOf(settings)).toBeUndefined();
  });

  it.each<[Partial<Environment>, string]>([
    [{ OTEL_TRACES_EXPORTER: 'otlp' }, 'http/protobuf'],
    [{ OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, OTEL_SDK_DISABLED: 'false' }, 'http/protobuf'],
    [{ OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: endpoint, OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json' }, 'http/json'],
    [
      {
        OTEL_EXPORTER_OTLP_ENDPOINT: endpoint,
        OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
        OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: 'http/protobuf',
      },
      'http/protobuf',
    ],
  ])('of %j are sent as %s', (settings, protocol) => {
    expect(tracingOf(settings)).toEqual({ protocol });
  });
});
