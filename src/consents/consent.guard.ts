import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { OpenBankingError } from '../open-banking/errors.js';
import { missingPermissions } from '../open-banking/permissions.js';
import { accountsScope } from '../open-banking/scopes.js';
import { declarationOf, granted } from '../endpoint/request-context.js';

/** The checks "scope", "permission" and "account". Sets `request.account`. */
@Injectable()
export class ConsentGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const request = context.switchToHttp().getRequest<FastifyRequest>();
    const declaration = declarationOf(request);
    if (declaration?.kind === 'public') return true;
    if (!request.token?.scopes.has(accountsScope))
      throw new OpenBankingError('token-scope', {
        message: `The token lacks the scope "${accountsScope}": ask the bank's authorisation server for one that has it.`,
      });
    if (declaration?.kind === 'consents') return true;
    if (declaration?.kind !== 'resource') throw new Error('the route is not declared');

    const grant = granted(request);
    const missing = missingPermissions(declaration.form.rule.permissions, grant.permissions);
    if (missing.length > 0)
      throw new OpenBankingError('permission-missing', {
        message: `The consent lacks ${missing.map((group) => group.join(' or ')).join(' and ')}: create a consent that asks for it.`,
        path: 'Data.Permissions',
      });

    const { AccountId: accountId } = request.params as { AccountId?: string };
    if (accountId !== undefined) {
      const account = grant.accounts.get(accountId);
      // One answer for "unknown" and "not selected", from one look-up: which of the two it is cannot be told apart.
      if (account === undefined)
        throw new OpenBankingError('account-not-selected', {
          message:
            'The customer did not select this account for the consent. GET /accounts lists those that can be read.',
          path: 'AccountId',
        });
      request.account = { accountId, ref: account.ref, product: account.product };
    }
    return true;
  }
}
