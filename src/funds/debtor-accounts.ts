import { Inject, Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import type { FoundAccount } from '../../packages/core-adapter/core.funds.js';
import type { SelectedAccount } from '../consents/consent.js';
import { Cores } from '../core-banking/cores.js';
import type { NamedAccount } from '../open-banking/consent-state.js';
import { OpenBankingError } from '../open-banking/errors.js';
import { PROFILE, type Profile } from '../profiles/profile.js';
import { tppReadContext } from '../request/core-context.js';
import { debtorSchemes } from '../versions/shared/funds.js';
import { isNameOfAccount } from './account-name.policy.js';

/** Finds the accounts that TPPs name. */
@Injectable()
export class DebtorAccounts {
  constructor(
    private readonly cores: Cores,
    @Inject(PROFILE) private readonly profile: Pick<Profile, 'rules'>,
  ) {}

  /** @throws OpenBankingError with one text, whichever member is wrong, so that it does not show which accounts there are */
  async find(named: NamedAccount, request: FastifyRequest): Promise<SelectedAccount> {
    const { schemeName, identification, secondaryIdentification } = named;
    const scheme = Object.hasOwn(debtorSchemes, schemeName) ? debtorSchemes[schemeName] : undefined;
    const stated = { identification, ...(secondaryIdentification !== undefined && { secondaryIdentification }) };
    const found =
      scheme &&
      (await this.cores.findPaymentAccount(
        { scheme, ...stated },
        tppReadContext(request, this.cores.deadlineMs()),
        (account) => this.isNamed(account, named),
      ));
    if (found === undefined)
      throw new OpenBankingError('debtor-unknown', {
        message:
          'The bank has no account with this SchemeName, Identification and Name for which it confirms funds. It does not say which of them is wrong.',
        path: 'Data.DebtorAccount',
      });
    const { account, core } = found;
    return { ref: account.ref, product: account.product, ...(core !== undefined && { core }) };
  }

  private isNamed({ holderNames }: FoundAccount, { name }: NamedAccount): boolean {
    const isCompared = this.profile.rules.fundsConfirmation?.name === 'same';
    return !isCompared || name === undefined || isNameOfAccount(name, holderNames);
  }
}
