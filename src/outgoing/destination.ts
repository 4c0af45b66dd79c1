import type { Readable } from 'node:stream';
import type { HttpService } from '@nestjs/axios';
import { makeAgents, type Agents, type AgentTerms } from './http-service.js';
import { OutgoingFault, outgoingFault } from './outgoing-fault.js';

export interface OutgoingCall {
  readonly url: string;
  readonly method?: 'GET' | 'POST';
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly deadlineMs: number;
  /** The greatest size of the body, decompressed. */
  readonly mostBytes: number;
}

export interface OutgoingAnswer {
  readonly status: number;
  /** Empty unless the status is 200. */
  readonly body: Buffer;
}

/** The servers of one kind, with separate connections, authorities and credentials. */
export class Destination {
  private agents: Agents;

  constructor(
    private readonly http: HttpService,
    terms: AgentTerms,
  ) {
    this.agents = makeAgents(terms);
  }

  /** Reads the body of a 200, and cuts off every other body. @throws OutgoingFault */
  async ask({ url, method = 'GET', headers, body, deadlineMs, mostBytes }: OutgoingCall): Promise<OutgoingAnswer> {
    const { status, data } = await this.http.axiosRef.request<Readable>({
      ...this.agents,
      url,
      method,
      headers,
      data: body,
      timeout: deadlineMs,
      // The size is counted below, because axios would keep a connection open whose body is not read to its end.
      maxContentLength: -1,
      responseType: 'stream',
      validateStatus: null,
    });
    if (status === 200) return { status, body: await readBody(data, mostBytes) };
    data.destroy();
    return { status, body: Buffer.alloc(0) };
  }

  /** From now on new connections have these terms. Calls that are under way end on their connections. */
  use(terms: AgentTerms): void {
    this.agents = makeAgents(terms);
  }

  /** Ends every connection at once, those in use too. */
  close(): void {
    this.agents.httpAgent.destroy();
    this.agents.httpsAgent.destroy();
  }
}

async function readBody(stream: Readable, mostBytes: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const chunk of stream as AsyncIterable<Buffer>) {
      bytes += chunk.length;
      if (bytes > mostBytes) throw new OutgoingFault('too-large', `the answer is larger than ${mostBytes} bytes`);
      chunks.push(chunk);
    }
  } catch (error) {
    throw outgoingFault(error);
  }
  return Buffer.concat(chunks);
}
