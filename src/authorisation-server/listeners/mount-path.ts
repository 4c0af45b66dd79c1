import { isOfAuthorisationServer } from '../../open-banking/authorisation-paths.js';

/** Whether the target of a request, in origin form (RFC 9112, section 3.2.1), is the authorization server's. */
export function isMounted(target: string): boolean {
  const [path = ''] = target.split('?', 1);
  return isOfAuthorisationServer(path);
}
