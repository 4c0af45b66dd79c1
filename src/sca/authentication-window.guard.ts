import { Inject, Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { BankClock } from '../clock/clock.js';
import { GATEWAY_CONFIG, type GatewayConfig } from '../config/config.js';
import { declarationOf, judgeGrant } from '../endpoint/request-context.js';
import { OpenBankingError } from '../open-banking/errors.js';
import {
  lastAuthenticationMs,
  refuseOutsideWindow,
  type AuthenticationWindow,
} from './authentication-window.policy.js';

/** The check "authentication window": the age of the customer's last strong authentication for this consent. */
@Injectable()
export class AuthenticationWindowGuard implements CanActivate {
  private readonly window: AuthenticationWindow;

  constructor(
    @Inject(GATEWAY_CONFIG) config: Pick<GatewayConfig, 'authenticationWindowMs' | 'exemptHistoryMs'>,
    private readonly clock: BankClock,
  ) {
    this.window = { lengthMs: config.authenticationWindowMs, exemptHistoryMs: config.exemptHistoryMs };
  }

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<FastifyRequest>();
    const declaration = declarationOf(request);
    if (declaration?.kind !== 'resource') return true;
    const refusal = await judgeGrant(request, ({ lastAuthenticatedAtMs }) =>
      refuseOutsideWindow(
        declaration.form.rule.window,
        this.window,
        lastAuthenticationMs(lastAuthenticatedAtMs, request.token?.authenticatedAtMs),
        this.clock.nowMs(),
        request.filter,
      ),
    );
    if (refusal !== undefined) throw new OpenBankingError('reauthentication', { message: refusal });
    return true;
  }
}
