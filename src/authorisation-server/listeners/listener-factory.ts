import { Inject, Injectable } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { FastifyInstance } from 'fastify';
import { Metrics } from '../../observability/metrics.js';
import { ClientCertificates } from '../../security/tls/client-certificate.js';
import { LISTENERS_TLS, type ListenersTls } from '../../security/tls/listeners-tls.js';
import { ERROR_NAMES, type ErrorNamesOf } from '../../server/error-names.js';
import { Listeners } from '../../server/listeners.js';
import { Recording } from '../../server/recording.js';
import { AuthorisationLog } from './authorisation-log.js';
import { createListener, type ListenerParts } from './listener.js';

/** The parts in which the authorization server's listeners differ. */
type PartsOfListener = Omit<ListenerParts, 'onFault' | 'observe' | 'errorNames' | 'certificates' | keyof Recording>;

@Injectable()
export class ListenerFactory {
  constructor(
    @Inject(LISTENERS_TLS) readonly tls: ListenersTls,
    @Inject(ERROR_NAMES) private readonly errorNames: ErrorNamesOf,
    private readonly recording: Recording,
    private readonly faults: AuthorisationLog,
    private readonly metrics: Metrics,
    private readonly certificates: ClientCertificates,
    private readonly listeners: Listeners,
    private readonly host: HttpAdapterHost,
  ) {}

  create(parts: PartsOfListener): FastifyInstance {
    const server = createListener({
      ...parts,
      ...this.recording,
      errorNames: this.errorNames,
      observe: (event) => this.metrics.request(event),
      onFault: this.faults.fault,
      certificates: parts.forBrowsers ? undefined : this.certificates,
    });
    this.listeners.add(server);
    return server;
  }

  /** The TPPs' API, which the TPPs' listener serves as well. */
  readonly serveApi = (request: IncomingMessage, response: ServerResponse): void =>
    this.host.httpAdapter.getInstance<FastifyInstance>().routing(request, response);
}
