import { randomUUID } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { minorUnitsOf } from '../../packages/core-adapter/minor-units.js';
import { minorUnitDigits } from '../../packages/core-adapter/currencies.js';
import { BankClock } from '../clock/clock.js';
import { outcomeUnknown, stored } from '../consents/stored.js';
import { Cores } from '../core-banking/cores.js';
import { OpenBankingError } from '../open-banking/errors.js';
import { bodyField } from '../open-banking/rules.js';
import { PROFILE, type Profile } from '../profiles/profile.js';
import { coreContext } from '../request/core-context.js';
import type { FundsConfirmation, FundsConfirmed } from '../versions/shared/funds.js';
import { UsedReferencesStore } from './used-references.store.js';

/** Answers whether funds are available. Keeps no history, and blocks no funds. */
@Injectable()
export class FundsService {
  constructor(
    private readonly cores: Cores,
    private readonly references: UsedReferencesStore,
    private readonly clock: BankClock,
    @Inject(PROFILE) private readonly profile: Pick<Profile, 'rules' | 'products'>,
  ) {}

  async confirm({ Data }: FundsConfirmation, request: FastifyRequest): Promise<FundsConfirmed> {
    const { consentId, customerRef, accounts } = request.context.granted();
    if (Data.ConsentId !== consentId)
      throw new OpenBankingError('consent-mismatch', {
        message: 'The token is bound to another consent than ConsentId names.',
        path: 'Data.ConsentId',
        field: bodyField('Data.ConsentId'),
      });
    const [account] = accounts.values();
    if (account === undefined) throw new Error('a consent for confirmation of funds has no account');
    const context = coreContext(request, this.cores.deadlineMs([account.core]));
    const answer = await this.cores.fundsAvailable(
      {
        ref: account.ref,
        core: account.core,
        product: account.product,
        listedProducts: Object.keys(this.profile.products),
        context: { ...context, customerRef: account.customerRef ?? customerRef },
      },
      {
        amount: moneyOf(Data.InstructedAmount),
        countOverdraft: this.profile.rules.fundsConfirmation?.countOverdraft === true,
      },
    );
    if (answer === 'other-currency') throw unsupportedCurrency();
    // Last: a check that could not be answered can be repeated with its reference.
    if (!(await stored(this.references.use(consentId, Data.Reference), outcomeUnknown)))
      throw new OpenBankingError('reference-used', {
        message: 'An earlier request under this consent was answered with this Reference.',
        path: 'Data.Reference',
        field: bodyField('Data.Reference'),
      });
    const at = new Date(this.clock.nowMs());
    return { confirmationId: `fc-${randomUUID()}`, at, isAvailable: answer === 'available' };
  }
}

function moneyOf({ Amount, Currency }: FundsConfirmation['Data']['InstructedAmount']) {
  const digits = minorUnitDigits(Currency);
  if (digits === undefined) throw unsupportedCurrency();
  const [, fraction = ''] = Amount.split('.');
  const path = 'Data.InstructedAmount.Amount';
  if (/[1-9]/.test(fraction.slice(digits)))
    throw new OpenBankingError('field-invalid', {
      message: `Amount is finer than the minor unit of ${Currency}.`,
      path,
      field: bodyField(path),
      rule: 'value',
    });
  return { minorUnits: minorUnitsOf(Amount, Currency, path), currency: Currency };
}

function unsupportedCurrency(): OpenBankingError {
  const path = 'Data.InstructedAmount.Currency';
  return new OpenBankingError('currency-unsupported', {
    message: 'The account has another currency.',
    path,
    field: bodyField(path),
  });
}
