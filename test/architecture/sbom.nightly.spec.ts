// Nightly: it tests a list that npm makes.
import { execFileSync } from 'node:child_process';
import { describe, expect, it } from '@jest/globals';
import { packageRoot } from '../../src/persistence/package-root.js';
import { lockedIn } from './locked-packages.js';

interface Component {
  /** `pkg:npm/<name>@<version>` (package URL). */
  readonly purl: string;
  readonly properties?: readonly { readonly name: string; readonly value: string }[];
}

const idOf = ({ purl }: Component): string => decodeURIComponent(purl.replace('pkg:npm/', ''));
const nameOf = (path: string): string => path.replace(/^.*node_modules\//, '');
const isForDevelopment = ({ properties = [] }: Component): boolean =>
  properties.some(({ name, value }) => name === 'cdx:npm:package:development' && value === 'true');

describe('npm run sbom', () => {
  const locked = lockedIn('package-lock.json');

  it('lists every locked package, and marks those that the product does not contain', () => {
    const output = execFileSync('npm', ['run', '--silent', 'sbom'], {
      cwd: packageRoot(),
      encoding: 'utf8',
      // The list has about a megabyte, where Node would end the command.
      maxBuffer: 64 * 1024 * 1024,
    });
    const { bomFormat, components } = JSON.parse(output) as { bomFormat: string; components: readonly Component[] };
    expect(bomFormat).toBe('CycloneDX');
    const idsOf = (entries: typeof locked): Set<string> =>
      new Set(entries.map(([path, { name = nameOf(path), version }]) => `${name}@${version}`));
    expect(new Set(components.map(idOf))).toEqual(idsOf(locked));
    const marked = components.filter(isForDevelopment).map(idOf);
    // One version may be locked in several places, for the product in one and for development in another.
    const product = idsOf(locked.filter(([, { dev, devOptional }]) => dev !== true && devOptional !== true));
    expect(marked.filter((id) => product.has(id))).toEqual([]);
    const usedBeyondDevelopment = idsOf(locked.filter(([, { dev }]) => dev !== true));
    const development = [...idsOf(locked)].filter((id) => !usedBeyondDevelopment.has(id));
    expect(development.filter((id) => !marked.includes(id))).toEqual([]);
  });
});
