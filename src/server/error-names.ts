import type { GatewayConfig } from '../config/config.js';
import type { ErrorNames } from '../open-banking/errors.js';

/** The page that explains every error. */
export const errorsPagePath = '/docs/errors';

export function errorNamesOf({
  errorCodePrefix,
  baseUrl,
}: Pick<GatewayConfig, 'errorCodePrefix' | 'baseUrl'>): ErrorNames {
  return { bankPrefix: errorCodePrefix, helpUrl: `${baseUrl}${errorsPagePath}` };
}
