import { describe, expect, it } from '@jest/globals';
import { faultOfNode } from './supported-node.js';

const nodeOf = (version: string, lts?: string): string | undefined =>
  faultOfNode({ version, release: { ...process.release, lts } });

describe('the gateway', () => {
  it('starts on Node 24 and later long-term releases', () => {
    expect(nodeOf('v24.0.0', 'Krypton')).toBeUndefined();
    expect(nodeOf('v26.11.0', 'M')).toBeUndefined();
  });

  it.each([
    ['an older release', 'v23.99.9', 'Jod'],
    ['a release that is not long-term, because oidc-provider supports none', 'v26.0.0', undefined],
  ])('refuses %s in one sentence, with the remedy', (_what, version, lts) => {
    expect(nodeOf(version, lts)).toMatch(
      new RegExp(
        `^it needs Node 24 .*, and this is Node ${version.slice(1)}: start it with .npm run start:gateway.[^\n]*$`,
      ),
    );
  });
});
