import { Injectable } from '@nestjs/common';
import type { FastifyInstance } from 'fastify';
import { Clock } from '../../clock/clock.js';
import { echoCertificatePath } from '../../open-banking/authorisation-paths.js';
import { ClientCertificates } from '../../security/tls/client-certificate.js';
import { declareRoutes } from '../../server/routes.js';
import { RequestLimits } from '../listeners/request-limits.js';
import { recognise } from '../listeners/request-records.js';
import { tooMany } from '../listeners/too-many.js';
import { CertificateOwners } from './certificate-owners.js';
import { echoOf } from './echo-certificate.policy.js';

/** Tells a TPP which certificate the gateway saw, and why it refuses it. */
@Injectable()
export class EchoCertificateRoutes {
  constructor(
    private readonly certificates: ClientCertificates,
    private readonly owners: CertificateOwners,
    private readonly limits: RequestLimits,
    private readonly clock: Clock,
  ) {}

  declare(server: FastifyInstance): void {
    declareRoutes(server, echoCertificatePath, (routes) => {
      routes.get('/', async (request, reply) => {
        const refusal = this.limits.enter(request.raw, 'tpp');
        if (refusal !== undefined) return tooMany(reply, refusal);
        // The caller has proven no client: each answer counts, as a registration does.
        this.limits.leave(request.raw, 'tpp');
        const nowMs = this.clock.nowMs();
        const presented = this.certificates.of(request.raw);
        const owners = presented === undefined ? [] : await this.owners.of(presented, nowMs);
        if (owners.length === 1) recognise(request, owners[0]?.tpp.clientId);
        return reply.header('cache-control', 'no-store').send(echoOf(presented, owners, nowMs));
      });
    });
  }
}
