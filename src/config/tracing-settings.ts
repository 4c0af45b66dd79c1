import type { TracingConfig } from './tracing-config.js';
import type { Environment } from './environment.dto.js';

/** `undefined` where no traces are taken: by the variables of the OpenTelemetry specification. */
export function readTracing(environment: Environment): TracingConfig | undefined {
  const { OTEL_TRACES_EXPORTER: exporter, OTEL_EXPORTER_OTLP_PROTOCOL: protocol } = environment;
  const endpoint = environment.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT ?? environment.OTEL_EXPORTER_OTLP_ENDPOINT;
  if (environment.OTEL_SDK_DISABLED === 'true' || exporter === 'none') return undefined;
  if (exporter === undefined && endpoint === undefined) return undefined;
  return { protocol: environment.OTEL_EXPORTER_OTLP_TRACES_PROTOCOL ?? protocol ?? 'http/protobuf' };
}
