import { Injectable } from '@nestjs/common';
import type { Target } from '../../trail/operator-event.js';
import type { Scope } from '../../consents/cases/withdrawal.js';
import { Cores } from '../../core-banking/cores.js';
import { OpenBankingError } from '../../open-banking/errors.js';
import { Pseudonyms } from '../../trail/pseudonyms.js';
import { NamedTpps } from '../named-tpps.js';

type Member = 'consent' | 'customer' | 'account' | 'core' | 'tpp' | 'issuer';

/** Reads the customer, the account or the TPP that a body or a query names. */
@Injectable()
export class AskedScope {
  constructor(
    private readonly tpps: NamedTpps,
    private readonly cores: Cores,
    private readonly pseudonyms: Pseudonyms,
  ) {}

  /** @throws OpenBankingError where it is not exactly one of them, or the TPP or the core is unknown */
  async read({ consent, customer, account, core, tpp, issuer }: { [M in Member]?: string }): Promise<Scope> {
    const named = [consent, customer, account, tpp].filter((one) => one !== undefined);
    if (named.length !== 1)
      throw invalid('customer', 'Name one of customer, account and tpp, or of a withdrawal one consent, and no other');
    if (core !== undefined && account === undefined) throw invalid('core', 'core belongs to account');
    if (issuer !== undefined && tpp === undefined) throw invalid('issuer', 'issuer belongs to tpp');
    if (consent !== undefined) return { kind: 'consent', consentId: consent };
    if (tpp !== undefined) return { kind: 'tpp', tpp: await this.tpps.named(tpp, issuer) };
    if (account === undefined) return { kind: 'customer', customerRef: customer ?? '' };
    const found = this.cores.accountAt(core, account);
    if (found === undefined) throw invalid('core', 'CORES has no core of this name');
    return { kind: 'account', account: found };
  }

  /** For the trail, which has no reference of the core. */
  targetOf(scope: Scope): Target {
    switch (scope.kind) {
      case 'consent':
        return { consent: scope.consentId };
      case 'customer':
        return { customer: this.pseudonyms.ofCustomer(scope.customerRef) };
      case 'account':
        return { account: this.pseudonyms.ofAccount(scope.account) };
      case 'tpp':
        return { issuer: scope.tpp.issuer, tpp: scope.tpp.clientId };
    }
  }
}

function invalid(path: string, message: string): OpenBankingError {
  return new OpenBankingError('field-invalid', { message: `${message}.`, path });
}
