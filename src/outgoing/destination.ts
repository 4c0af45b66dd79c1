import type { Readable } from 'node:stream';
import type { HttpService } from '@nestjs/axios';
import { makeAgents, type Agents, type AgentTerms } from './http-service.js';
import { OutgoingFault, outgoingFault } from './outgoing-fault.js';

export interface OutgoingCall {
  readonly url: string;
  readonly method?: 'GET' | 'POST';
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  /** For the whole answer. */
  readonly deadlineMs: number;
  /** Of the body, unpacked. */
  readonly mostBytes: number;
}

export interface OutgoingAnswer {
  readonly status: number;
  /** Empty unless the status is 200. */
  readonly body: Buffer;
}

/** One kind of servers that the gateway asks: connections of its own, with their authorities and credentials. */
export class Destination {
  private readonly agents: Agents;

  constructor(
    private readonly http: HttpService,
    terms: AgentTerms,
  ) {
    this.agents = makeAgents(terms);
  }

  /** Reads the body of a 200, and cuts off every other one. @throws OutgoingFault */
  async ask({ url, method = 'GET', headers, body, deadlineMs, mostBytes }: OutgoingCall): Promise<OutgoingAnswer> {
    const { status, data } = await this.http.axiosRef.request<Readable>({
      ...this.agents,
      ...{ url, method, headers, data: body },
      timeout: deadlineMs,
      // Counted below: axios would leave open what is not read to its end.
      maxContentLength: -1,
      responseType: 'stream',
      validateStatus: null,
    });
    if (status === 200) return { status, body: await wholeBody(data, mostBytes) };
    data.destroy();
    return { status, body: Buffer.alloc(0) };
  }

  /** Ends every connection at once, those in use too. */
  close(): void {
    this.agents.httpAgent.destroy();
    this.agents.httpsAgent.destroy();
  }
}

async function wholeBody(stream: Readable, mostBytes: number): Promise<Buffer> {
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
