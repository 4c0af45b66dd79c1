import { type CanActivate, type ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import type { Clock } from '../clock/clock.js';
import { declarationOf, granted } from '../endpoint/request-context.js';
import type { HistoryFilter } from '../endpoint/endpoint-declaration.js';
import { OpenBankingError } from '../open-banking/errors.js';
import {
  lastAuthenticationMs,
  refuseOutsideWindow,
  type AuthenticationWindow,
} from './authentication-window.policy.js';

/** Check 9 of the guards' order: the age of the customer's last strong authentication for this consent. */
export class AuthenticationWindowGuard implements CanActivate {
  constructor(
    private readonly window: AuthenticationWindow,
    private readonly clock: Clock,
  ) {}

  canActivate(context: ExecutionContext): boolean {
    const request = context.switchToHttp().getRequest<FastifyRequest>();
    const declaration = declarationOf(request);
    if (declaration?.kind !== 'resource') return true;
    const refusal = refuseOutsideWindow(
      declaration.window,
      this.window,
      lastAuthenticationMs(granted(request).lastAuthenticatedAtMs, request.token?.authenticatedAtMs),
      this.clock.nowMs(),
      request.filter as HistoryFilter | undefined,
    );
    if (refusal !== undefined) throw new OpenBankingError('reauthentication', { message: refusal });
    return true;
  }
}
