import { Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { grantKindOf, type RouteDeclaration } from '../endpoint/route-declaration.js';
import { OpenBankingError } from '../open-banking/errors.js';
import { missingPermissions } from '../open-banking/permissions.js';
import { scopeOfKind } from '../open-banking/scopes.js';
import type { RequestCheck, RoutedRequest } from '../request/checks.js';
import type { RequestContext } from '../request/request-context.js';
import { isOfLaterVersion } from './access.policy.js';
import { ofLaterVersion } from './consent-errors.js';

@Injectable()
export class ScopeCheck implements RequestCheck {
  readonly name = 'scope';

  check(request: FastifyRequest): void {
    const { declaration } = request;
    if (declaration?.kind === 'public') return;
    const needed = scopesFor(declaration);
    const { scopes: held } = request.context.verifiedToken();
    if (needed.some((scope) => held.has(scope))) return;
    const names = needed.map((scope) => `"${scope}"`).join(' or ');
    throw new OpenBankingError(
      'token-scope',
      { message: `The token lacks the scope ${names}: ask the bank's authorisation server for one that has it.` },
      { reason: 'scope-missing' },
    );
  }
}

/** One of them is needed. */
function scopesFor(declaration: RouteDeclaration | undefined): readonly string[] {
  switch (declaration?.kind) {
    case 'resource':
      return [scopeOfKind['account-access']];
    case 'funds-check':
      return [scopeOfKind['funds-confirmation']];
    case 'consents':
      return [scopeOfKind[declaration.consentKind]];
    case 'events':
      return Object.values(scopeOfKind);
    default:
      throw new Error('the route is not declared');
  }
}

const consentVersion = 'consent version';

/** A consent is accessed in the version that created it and in later ones: they can say all that it has. */
@Injectable()
export class ConsentVersionCheck implements RequestCheck {
  readonly name = consentVersion;

  /** The routes of consents, which read the consent, ask {@link refuseLaterVersion} themselves. */
  check(request: FastifyRequest): void {
    const { declaration } = request;
    if (grantKindOf(declaration) === undefined || declaration?.version === undefined) return;
    refuseLaterVersion(request.context.granted().createdIn, declaration.version.name, request.context);
  }
}

/** @throws OpenBankingError where the consent was created in a later version than that of the request */
export function refuseLaterVersion(createdIn: string, accessedIn: string, context: RequestContext): void {
  if (!isOfLaterVersion(createdIn, accessedIn)) return;
  context.check = consentVersion;
  throw ofLaterVersion(createdIn);
}

@Injectable()
export class PermissionCheck implements RequestCheck {
  readonly name = 'permission';

  check(request: FastifyRequest): void {
    const { declaration } = request;
    if (declaration?.kind !== 'resource') return;
    const { context } = request;
    const { permissions: needed } = declaration.form.rule;
    const { permissions: held } = context.granted();
    const missing = missingPermissions(needed, held);
    if (missing.length === 0) return;
    context.facts = { permissionsHeld: [...held], permissionsNeeded: needed };
    throw new OpenBankingError('permission-missing', {
      message: `The consent lacks ${missing.map((group) => group.join(' or ')).join(' and ')}: create a consent that asks for it.`,
      path: 'Data.Permissions',
    });
  }
}

/** Sets `account`. */
@Injectable()
export class AccountCheck implements RequestCheck<RoutedRequest> {
  readonly name = 'account';

  check(request: RoutedRequest): void {
    const { AccountId: accountId } = request.params;
    if (accountId === undefined) return;
    const account = request.context.granted().accounts.get(accountId);
    // One answer for "unknown" and "not selected", from one look-up: the TPP cannot find out which of the two it is.
    if (account === undefined)
      throw new OpenBankingError('account-not-selected', {
        message:
          'The customer did not select this account for the consent. GET /accounts lists those that can be read.',
        path: 'AccountId',
      });
    request.context.account = { accountId, ...account };
  }
}
