import { describe, expect, it } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { signOnClauses } from '../../packages/adapter-kit/sign-on/sign-on-kit.js';
import { oidcVariables } from '../../src/customer-authentication/adapters/oidc/oidc.settings.js';
import { packageRoot } from '../../src/persistence/package-root.js';

const guide = readFileSync(join(packageRoot(), 'docs/bank/walks/sign-on.md'), 'utf8');

it('the adapter oidc declares, for docs/operate/settings.md, every setting that it reads, and no other', () => {
  const source = readFileSync(
    join(packageRoot(), 'src/customer-authentication/adapters/oidc/oidc.settings.ts'),
    'utf8',
  );
  const read = [...source.matchAll(/\$\{prefix\}([A-Z_]+)|'([A-Z_]+_FILE)'/g)].map(([, one, other]) => one ?? other);
  const declared = Object.keys(oidcVariables).map((name) => name.replace('CUSTOMER_AUTHENTICATION_', ''));
  expect(new Set(declared)).toEqual(new Set(read.filter((name) => name !== 'CREDENTIAL')));
});
