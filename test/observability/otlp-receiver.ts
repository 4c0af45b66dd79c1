import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import type { Json } from '../support/stack.js';

export interface ReceivedSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly kind: number;
  readonly attributes: Readonly<Record<string, unknown>>;
  readonly status: { readonly code?: number };
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
  private readonly server = createServer((request, response) => void this.receive(request, response));

  static async start(): Promise<OtlpReceiver> {
    const receiver = new OtlpReceiver();
    await once(receiver.server.listen(0, '127.0.0.1'), 'listening');
    return receiver;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    if (this.server.listening) await new Promise((resolve) => this.server.close(resolve));
  }

  private async receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await text(request.setEncoding('latin1'));
    const type = request.headers['content-type'];
    this.bodies.push(body);
    this.types.push(type);
    if (type === 'application/json') this.take(JSON.parse(body));
    if (this.answers) response.setHeader('content-type', 'application/json').end('{}');
  }

  private take({ resourceSpans }: Json): void {
    for (const { resource, scopeSpans } of resourceSpans) {
      this.resource = valuesOf(resource.attributes);
      for (const { spans } of scopeSpans)
        for (const span of spans) this.spans.push({ ...span, attributes: valuesOf(span.attributes) });
    }
  }
}

function valuesOf(attributes: Json): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    attributes.map(({ key, value }: Json) => [key, value.stringValue ?? value.boolValue ?? Number(value.intValue)]),
  );
}
