import { Inject, Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { BankClock } from '../clock/clock.js';
import { LiveConsentCheck } from '../consents/live-consent.check.js';
import { OpenBankingError } from '../open-banking/errors.js';
import { PROFILE, type Profile } from '../profiles/profile.js';
import type { RequestCheck } from '../request/checks.js';
import {
  lastAuthenticationMs,
  reasonOutsideWindow,
  refuseOutsideWindow,
  type AuthenticationWindow,
} from './authentication-window.policy.js';

/** The age of the customer's last strong authentication for this consent. */
@Injectable()
export class AuthenticationWindowCheck implements RequestCheck {
  readonly name = 'authentication window';
  private readonly window: AuthenticationWindow;

  constructor(
    @Inject(PROFILE) { rules }: Pick<Profile, 'rules'>,
    private readonly clock: BankClock,
    private readonly consents: LiveConsentCheck,
  ) {
    this.window = {
      lengthMs: rules.authenticationWindowSeconds * 1_000,
      exemptHistoryMs: rules.exemptHistoryDays * 86_400_000,
    };
  }

  async check(request: FastifyRequest): Promise<void> {
    const { declaration } = request;
    if (declaration?.kind !== 'resource') return;
    const { context } = request;
    const { filter } = context;
    const { window: rule, permissions } = declaration.form.rule;
    const nowMs = this.clock.nowMs();
    let authenticatedAtMs = 0;
    const refusal = await this.consents.findRefusal(context, ({ lastAuthenticatedAtMs }) => {
      authenticatedAtMs = lastAuthenticationMs(lastAuthenticatedAtMs, context.verifiedToken().authenticatedAtMs);
      return refuseOutsideWindow(rule, this.window, authenticatedAtMs, nowMs, filter);
    });
    context.facts = {
      authenticationAgeS: Math.floor((nowMs - authenticatedAtMs) / 1_000),
      windowS: this.window.lengthMs / 1_000,
      permissionsNeeded: permissions,
    };
    if (refusal === undefined) return;
    if (filter?.fromMs !== undefined)
      context.facts = { ...context.facts, historyFromAgeDays: Math.floor((nowMs - filter.fromMs) / 86_400_000) };
    throw new OpenBankingError('reauthentication', { message: refusal }, { reason: reasonOutsideWindow(rule, filter) });
  }
}
