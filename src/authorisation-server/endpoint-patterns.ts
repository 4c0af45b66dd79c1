import { assetPath, logoPath } from './pages/customer-pages.js';
import { dashboardPath } from './dashboard/dashboard.controller.js';
import { mountPath, paths, registrationPath } from './oidc/provider.js';

const wellKnown = ['openid-configuration', 'oauth-authorization-server'].map((name) => `/.well-known/${name}`);
const exact = new Set([
  ...[...Object.values(paths), registrationPath, ...wellKnown].map((path) => `${mountPath}${path}`),
  `/.well-known/oauth-authorization-server${mountPath}`,
  dashboardPath,
]);
/** What follows them is an id or a name: a secret, a TPP, or anything. */
const below = [
  `${mountPath}${paths.authorization}`,
  `${mountPath}${registrationPath}`,
  `${mountPath}/interaction`,
  assetPath,
  logoPath,
  dashboardPath,
];

/** The pattern of a path of the authorization server, for logs and metrics; `undefined` for any other path. */
export function endpointPattern(pathname: string): string | undefined {
  if (exact.has(pathname)) return pathname;
  const parent = below.find((path) => pathname.startsWith(`${path}/`));
  return parent && `${parent}/*`;
}
