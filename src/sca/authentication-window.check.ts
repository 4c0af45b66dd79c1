import { Inject, Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { BankClock } from '../clock/clock.js';
import { GATEWAY_CONFIG, type GatewayConfig } from '../config/config.js';
import { LiveConsentCheck } from '../consents/live-consent.check.js';
import { declarationOf } from '../endpoint/route-declaration.js';
import { OpenBankingError } from '../open-banking/errors.js';
import type { RequestCheck } from '../request/checks.js';
import {
  lastAuthenticationMs,
  refuseOutsideWindow,
  type AuthenticationWindow,
} from './authentication-window.policy.js';

/** The age of the customer's last strong authentication for this consent. */
@Injectable()
export class AuthenticationWindowCheck implements RequestCheck {
  readonly name = 'authentication window';
  private readonly window: AuthenticationWindow;

  constructor(
    @Inject(GATEWAY_CONFIG) config: Pick<GatewayConfig, 'authenticationWindowMs' | 'exemptHistoryMs'>,
    private readonly clock: BankClock,
    private readonly consents: LiveConsentCheck,
  ) {
    this.window = { lengthMs: config.authenticationWindowMs, exemptHistoryMs: config.exemptHistoryMs };
  }

  async check(request: FastifyRequest): Promise<void> {
    const declaration = declarationOf(request);
    if (declaration?.kind !== 'resource') return;
    const { context } = request;
    const refusal = await this.consents.judge(context, ({ lastAuthenticatedAtMs }) =>
      refuseOutsideWindow(
        declaration.form.rule.window,
        this.window,
        lastAuthenticationMs(lastAuthenticatedAtMs, context.verifiedToken().authenticatedAtMs),
        this.clock.nowMs(),
        context.filter,
      ),
    );
    if (refusal !== undefined) throw new OpenBankingError('reauthentication', { message: refusal });
  }
}
