import { Injectable } from '@nestjs/common';
import type { FastifyInstance } from 'fastify';
import { mountPath, registrationPath } from '../../open-banking/authorisation-paths.js';
import { EchoCertificateRoutes } from './echo-certificate.routes.js';
import { RegistrationRoutes } from './registration.routes.js';

/** The routes at which TPPs ask about themselves, on their listener. */
@Injectable()
export class TppRoutes {
  constructor(
    private readonly registrations: RegistrationRoutes,
    private readonly echo: EchoCertificateRoutes,
  ) {}

  declare(server: FastifyInstance): void {
    this.registrations.declare(server, `${mountPath}${registrationPath}`);
    this.echo.declare(server);
  }
}
