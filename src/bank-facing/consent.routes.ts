import { Injectable } from '@nestjs/common';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Type, type Static } from 'typebox';
import { BankClock } from '../clock/clock.js';
import { WithdrawalService } from '../consents/cases/withdrawal.service.js';
import type { Consent } from '../consents/consent.js';
import { ConsentService } from '../consents/consent.service.js';
import { CustomerConsents } from '../consents/customer-consents.js';
import type { AccountAtCore } from '../core-banking/account-at-core.js';
import { Cores } from '../core-banking/cores.js';
import { coreSignal } from '../request/core-context.js';
import { OpenBankingError } from '../open-banking/errors.js';
import { PublicIds } from '../open-banking/public-ids.js';
import { Pseudonyms } from '../trail/pseudonyms.js';
import type { WithdrawalReason } from '../trail/withdrawal-reasons.js';
import { presentConsent } from './bank-consent.mapper.js';
import {
  AccountRemoval,
  answer,
  Authorisation,
  BankConsent,
  BankConsents,
  ConsentsQuery,
  readErrors,
  Reauthentication,
  ref,
  reportErrors,
} from './bank-facing.schema.js';
import { pageOf } from './consents-query.js';
import { instantOf } from './stated-instant.js';

const secured = { tags: ['Consents'] };
const theConsent = answer('The consent as it is now.', BankConsent);
const ofConsent = {
  ...secured,
  params: Type.Object({ consentId: ref('Its id.') }),
  response: { 200: theConsent, ...reportErrors },
};
const schemas = {
  read: {
    ...ofConsent,
    response: { 200: theConsent, ...readErrors },
    operationId: 'readConsent',
    summary: 'Read a consent',
    description: "Any TPP's, whatever its status.",
  },
  begin: {
    ...ofConsent,
    operationId: 'beginAuthorisation',
    summary: 'The customer began to authorise',
    description:
      'Report it before the first page. The gateway rejects an awaiting consent whose authorisation is not completed within ' +
      'authorisationMinutes of the profile, counted from the last report. Changes nothing in any other consent.',
  },
  authorise: {
    ...ofConsent,
    operationId: 'authoriseConsent',
    summary: 'The customer approved',
    description:
      'awaiting -> authorised. When two reports come at once, one wins, and the other gets an error with the status.',
    body: Authorisation,
  },
  reject: {
    ...ofConsent,
    operationId: 'rejectConsent',
    summary: 'The customer refused',
    description: 'awaiting -> rejected. Only for an explicit refusal, not for a closed page.',
  },
  revoke: {
    ...ofConsent,
    operationId: 'revokeConsent',
    summary: 'The consent was withdrawn at the bank',
    description:
      'authorised -> cancelled. No token of the consent is valid from then on. A later authentication of the ' +
      'customer gives the access again.',
  },
  removeAccount: {
    ...secured,
    operationId: 'removeAccount',
    summary: 'An account left its consents',
    description:
      'The account was closed, say, or a holder objects: the TPPs cannot read it any more, and learn it by an event. The other ' +
      'accounts of each consent stay; a consent without another account is cancelled for good.',
    body: AccountRemoval,
    response: { 200: answer('The consents that it left, as they are now.', BankConsents), ...reportErrors },
  },
  reauthenticate: {
    ...ofConsent,
    operationId: 'reauthenticate',
    summary: 'The customer authenticated again',
    description:
      'Reopens the authentication window from the time of the authentication. Same consent, same customer; ' +
      'the expiry stays, and an earlier time than the known one changes nothing. A cancelled consent is authorised again ' +
      'if the authentication is later than the withdrawal.',
    body: Reauthentication,
  },
  list: {
    ...secured,
    operationId: 'listConsents',
    summary: "A customer's consents",
    description:
      'Every one that the customer ever authorised and no TPP deleted, newest first, in pages. Consents that are ' +
      'added meanwhile do not move the pages.',
    params: Type.Object({ customerRef: ref("The core's reference of the customer.") }),
    querystring: ConsentsQuery,
    response: { 200: answer('The consents.', BankConsents), ...readErrors },
  },
};

interface OfConsent {
  Params: { consentId: string };
}
interface OfCustomer {
  Params: { customerRef: string };
  Querystring: Static<typeof ConsentsQuery>;
}

/** The consent decision service: the bank's authorisation service reports the customer's decision here. */
@Injectable()
export class ConsentRoutes {
  constructor(
    private readonly consents: ConsentService,
    private readonly given: CustomerConsents,
    private readonly withdrawals: WithdrawalService,
    private readonly ids: PublicIds,
    private readonly cores: Cores,
    private readonly pseudonyms: Pseudonyms,
    private readonly clock: BankClock,
  ) {}

  declare(bank: FastifyInstance): void {
    const { consents } = this;
    bank.get<OfConsent>('/consents/:consentId', { schema: schemas.read }, async ({ params, context }) => {
      const consent = await consents.find(params.consentId);
      if (consent.authorisation !== undefined) context.asked = this.asked(consent.authorisation.customerRef);
      return this.present(consent);
    });
    bank.post<OfConsent>('/consents/:consentId/begin', { schema: schemas.begin }, async ({ params }) =>
      this.present(await consents.begin(params.consentId)),
    );
    this.declareAuthorisation(bank);
    bank.post<OfConsent>('/consents/:consentId/reject', { schema: schemas.reject }, async ({ params }) =>
      this.present(await consents.reject(params.consentId)),
    );
    bank.post<OfConsent>('/consents/:consentId/revoke', { schema: schemas.revoke }, async ({ params }) =>
      this.present(await consents.revoke(params.consentId, 'bank')),
    );
    bank.post<{ Body: Static<typeof AccountRemoval> }>(
      '/accounts/remove',
      { schema: schemas.removeAccount },
      (request) => this.removeAccount(request),
    );
    bank.post<OfConsent & { Body: Static<typeof Reauthentication> }>(
      '/consents/:consentId/reauthentications',
      { schema: schemas.reauthenticate },
      async ({ params, body: { customerRef, authenticatedAt } }) =>
        this.present(await consents.reauthenticate(params.consentId, customerRef, readTime(authenticatedAt))),
    );
    bank.get<OfCustomer>(
      '/customers/:customerRef/consents',
      { schema: schemas.list },
      async ({ params, query, context }) => {
        context.asked = this.asked(params.customerRef);
        const { items, next } = await this.given.list(params.customerRef, pageOf(query, this.clock.nowMs()));
        return { Consents: items.map((consent) => this.present(consent)), NextCursor: next };
      },
    );
  }

  private async removeAccount(request: FastifyRequest<{ Body: Static<typeof AccountRemoval> }>): Promise<object> {
    const { customerRef } = request.body;
    const reason = request.body.reason as WithdrawalReason;
    const account = this.accountOf(request.body.account, 'account');
    request.bankAct = { target: { account: this.pseudonyms.ofAccount(account) }, reason };
    const scope = { kind: 'account' as const, account, ...(customerRef !== undefined && { customerRef }) };
    const { count, consents = [] } = await this.withdrawals.withdraw({ scope, reason }, 'bank');
    request.bankAct = { ...request.bankAct, count };
    return { Consents: consents.map((consent) => this.present(consent)) };
  }

  private present(consent: Consent): object {
    return presentConsent(consent, this.ids, this.clock.nowMs());
  }

  private asked(customerRef: string): { customer: string } {
    return { customer: this.pseudonyms.ofCustomer(customerRef) };
  }

  private declareAuthorisation(bank: FastifyInstance): void {
    bank.post<OfConsent & { Body: Static<typeof Authorisation> }>(
      '/consents/:consentId/authorise',
      { schema: schemas.authorise },
      async (request) => {
        const { context } = request;
        const { customerRef, customerRefs, displayName, authenticatedAt } = request.body;
        if (customerRefs !== undefined && this.cores.unknownIn(customerRefs).length > 0)
          throw unknownCore('customerRefs');
        const accounts = request.body.accounts.map((account, index) => this.accountOf(account, `accounts[${index}]`));
        const consent = await this.consents.authorise(
          request.params.consentId,
          {
            customerRef,
            customerRefs,
            accounts,
            authenticatedAt: readTime(authenticatedAt),
            ...(displayName && { displayName }),
          },
          {
            interactionId: context.interactionId,
            signal: coreSignal(context, this.cores.deadlineMs(accounts.map(({ core }) => core))),
          },
        );
        return this.present(consent);
      },
    );
  }

  private accountOf(account: Static<typeof AccountRemoval>['account'], path: string): AccountAtCore {
    const [core, ref] = typeof account === 'string' ? [undefined, account] : [account.core, account.ref];
    const found = this.cores.accountAt(core, ref);
    if (found === undefined) throw unknownCore(path);
    return found;
  }
}

function unknownCore(path: string): OpenBankingError {
  return new OpenBankingError('field-invalid', { message: 'CORES has no core of this name.', path });
}

function readTime(authenticatedAt: string): Date {
  return new Date(instantOf('authenticatedAt', authenticatedAt));
}
