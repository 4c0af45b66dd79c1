import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent, type AgentOptions } from 'node:https';
import { HttpService } from '@nestjs/axios';
import axios, { type InternalAxiosRequestConfig } from 'axios';
import { outgoingFault } from './outgoing-fault.js';
import { connectToPublicOnly } from './public-only.agent.js';

/** The limits of a call that states none. */
const deadlineMs = 5_000;
const mostBytes = 512 * 1024;
/** For each process and each host. Further calls wait for a free connection until their deadlines. */
const maxConnections = 32;
/** A server may close an idle connection after five seconds. A later call on it would fail. */
const idleMs = 4_000;

/**
 * The HTTP client of the gateway for all servers except the core. A call has a deadline for its whole answer, a limit of
 * size, no redirects and no proxy. Every failure is an `OutgoingFault`.
 */
export function createHttpService(): HttpService {
  const instance = axios.create({
    ...makeAgents({}),
    adapter: 'http',
    timeout: deadlineMs,
    maxContentLength: mostBytes,
    maxRedirects: 0,
    // Otherwise HTTPS_PROXY and similar variables would divert credentials.
    proxy: false,
  });
  instance.interceptors.request.use(limitCallTime);
  instance.interceptors.response.use(undefined, (error: unknown) => Promise.reject(outgoingFault(error)));
  return new HttpService(instance);
}

export interface AgentTerms {
  /** PEM. Where it is absent, the authorities that Node trusts. */
  readonly ca?: Buffer;
  /** PEM of the client certificate and its key, for mutual TLS. */
  readonly cert?: Buffer;
  readonly key?: Buffer;
  /** Whether the host may be in the bank's network. False where a TPP states the address. */
  readonly publicOnly?: boolean;
}

export interface Agents {
  readonly httpAgent: HttpAgent;
  readonly httpsAgent: HttpsAgent;
}

export function makeAgents({ publicOnly = false, ...tls }: AgentTerms): Agents {
  const options: AgentOptions = { keepAlive: true, maxSockets: maxConnections, timeout: idleMs };
  const httpAgent = new HttpAgent(options);
  const httpsAgent = new HttpsAgent({ ...options, ...tls, minVersion: 'TLSv1.2' });
  if (publicOnly) for (const agent of [httpAgent, httpsAgent]) connectToPublicOnly(agent);
  return { httpAgent, httpsAgent };
}

/** Axios's own timeout measures silence: a server that sends a byte now and then would hold the call for ever. */
function limitCallTime(config: InternalAxiosRequestConfig): InternalAxiosRequestConfig {
  const { timeout = 0, signal } = config;
  const deadline = AbortSignal.timeout(timeout > 0 ? timeout : deadlineMs);
  config.signal = signal instanceof AbortSignal ? AbortSignal.any([signal, deadline]) : deadline;
  config.timeout = 0;
  return config;
}
