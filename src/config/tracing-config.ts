export const otlpProtocols = ['http/protobuf', 'http/json'] as const;

export interface TracingConfig {
  /** The form in which spans are sent (OTLP over HTTP). The library reads where to from the environment itself. */
  readonly protocol: (typeof otlpProtocols)[number];
}
