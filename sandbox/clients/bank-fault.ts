import * as oidc from 'openid-client';
import { FaultyStart } from '../faulty-start.js';

/** One sentence about a fault between this TPP and the bank; `undefined` for an error of another kind. */
export function faultOfBank(error: unknown): string | undefined {
  if (error instanceof FaultyStart) return error.message;
  if (error instanceof oidc.AuthorizationResponseError)
    return `the bank sent the customer back with ${oauthError(error)}`;
  if (error instanceof oidc.ResponseBodyError) return `the bank answered ${error.status} ${oauthError(error)}`;
  if (error instanceof oidc.ClientError) return `the bank's answer is invalid: ${reasonOf(error)}`;
  if (error instanceof TypeError && error.cause !== undefined) return `the bank is unreachable (${reasonOf(error)})`;
  return undefined;
}

/** The result of work with the bank. A fault between the TPP and the bank becomes a {@link FaultyStart} of one line. */
export async function inOneLine<Result>(work: Promise<Result>): Promise<Result> {
  return work.catch((error: unknown) => {
    const fault = faultOfBank(error);
    throw fault === undefined ? error : new FaultyStart(fault);
  });
}

/** The OAuth error code of a refusal. */
export function oauthErrorOf(error: unknown): string | undefined {
  return error instanceof oidc.ResponseBodyError ? error.error : undefined;
}

function oauthError({
  error,
  error_description: description,
}: oidc.ResponseBodyError | oidc.AuthorizationResponseError) {
  return description === undefined ? error : `${error}: ${description}`;
}

/** The innermost cause, because only it gives the reason of a failed connection. */
export function reasonOf(error: unknown): string {
  const { cause, message } = error as Partial<Error>;
  return cause instanceof Error ? reasonOf(cause) : (message ?? String(error));
}
