import { createServer, type Server } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';

interface Attribute {
  readonly key: string;
  readonly value: { readonly stringValue?: string; readonly intValue?: number | string; readonly boolValue?: boolean };
}

interface SentSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly kind: number;
  readonly attributes: readonly Attribute[];
  readonly status: { readonly code?: number };
}

interface SentBatch {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: readonly Attribute[] };
    readonly scopeSpans: readonly { readonly spans: readonly SentSpan[] }[];
  }[];
}

export interface ReceivedSpan extends Omit<SentSpan, 'attributes'> {
  readonly attributes: Readonly<Record<string, unknown>>;
}

/** A collector that receives spans by OTLP over HTTP, as JSON. */
export class OtlpReceiver {
  readonly spans: ReceivedSpan[] = [];
  /** The bodies as they came, and their types. */
  readonly bodies: string[] = [];
  readonly types: (string | undefined)[] = [];
  /** With false it takes spans and never answers. */
  answers = true;
  resource: Readonly<Record<string, unknown>> = {};

  private constructor(private readonly server: Server) {
    server.on('request', (request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const body = Buffer.concat(chunks).toString('latin1');
        this.bodies.push(body);
        this.types.push(request.headers['content-type']);
        if (request.headers['content-type'] === 'application/json') this.take(JSON.parse(body) as SentBatch);
        if (this.answers) response.setHeader('content-type', 'application/json').end('{}');
      });
    });
  }

  static async start(): Promise<OtlpReceiver> {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    return new OtlpReceiver(server);
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    if (this.server.listening) await new Promise((resolve) => this.server.close(resolve));
  }

  private take({ resourceSpans }: SentBatch): void {
    for (const { resource, scopeSpans } of resourceSpans) {
      this.resource = valuesOf(resource.attributes);
      for (const { spans } of scopeSpans)
        this.spans.push(...spans.map((span) => ({ ...span, attributes: valuesOf(span.attributes) })));
    }
  }
}

function valuesOf(attributes: readonly Attribute[]): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    attributes.map(({ key, value }) => [key, value.stringValue ?? value.boolValue ?? Number(value.intValue)]),
  );
}
