import { errors, interactionPolicy, type ClaimsParameter, type Client } from 'oidc-provider';
import type { ApiScope } from '../../open-banking/scopes.js';
import { withReason } from '../listeners/refusal-reasons.js';
import { intentFault, readIntent, type IntentFault } from './intent.policy.js';
import type { LibraryServices } from './provider-parts.js';

const { Check } = interactionPolicy;

/** Every authorisation is a sign-in and an approval, whatever happened before; `prompt=none` can only be refused. */
export function prompts(): interactionPolicy.DefaultPolicy {
  const base = interactionPolicy.base();
  const login = base.get('login');
  const consent = base.get('consent');
  if (login === undefined || consent === undefined) throw new Error('oidc-provider does not have its own prompts');
  login.checks.clear();
  login.checks.add(
    new Check('sca_required', 'the customer must authenticate', 'login_required', ({ oidc }) => {
      const claims = oidc.params?.['claims'];
      // The library has refused any text that is not JSON.
      const asked = readIntent(typeof claims === 'string' ? JSON.parse(claims) : {});
      if ('error' in asked) throw refusalOf(asked);
      const hint = oidc.entities.IdTokenHint?.payload as { sub?: string } | undefined;
      if (hint !== undefined && hint.sub !== asked.consentId)
        throw new errors.LoginRequired('the id_token_hint is of another consent');
      return oidc.result?.login === undefined;
    }),
  );
  consent.checks.clear();
  consent.checks.add(
    new Check(
      'consent_required',
      'the customer must approve',
      'consent_required',
      ({ oidc }) => oidc.result?.consent === undefined,
    ),
  );
  return base;
}

/** Refuses a request for whose consent the gateway cannot ask the customer. */
export async function assertIntent(
  { consents, bankClock }: Pick<LibraryServices, 'consents' | 'bankClock'>,
  claims: ClaimsParameter,
  client: Client,
  scopes: readonly ApiScope[],
): Promise<void> {
  const asked = readIntent(claims);
  const fault =
    'error' in asked
      ? asked
      : intentFault(await consents.findOrUndefined(asked.consentId), client.clientId, scopes, bankClock.nowMs());
  if (fault !== undefined) throw refusalOf(fault);
  // TPPs also ask for the intent in userinfo, as the standard's example does, but there is no userinfo endpoint.
  delete claims.userinfo;
}

export function refusalOf({ error, description, reason }: IntentFault): Error {
  const refusal = errorOf(error, description);
  return reason === undefined ? refusal : withReason(reason, refusal);
}

function errorOf(error: IntentFault['error'], description: string): Error {
  switch (error) {
    case 'invalid_request':
      return new errors.InvalidRequest(description);
    case 'invalid_scope':
      return new errors.InvalidScope(description, '');
    case 'unmet_authentication_requirements':
      return new errors.UnmetAuthenticationRequirements(description);
  }
}
