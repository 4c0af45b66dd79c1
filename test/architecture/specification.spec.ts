import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { endpoints } from '../../src/resources/endpoints.js';
import { checks } from '../../src/open-banking/checks.js';
import { packageRoot } from '../../src/persistence/package-root.js';
import { loadProfile } from '../../src/profiles/load-profile.js';

/** The table of a section, by the first cell of each row; each cell without its backticks. */
function table(section: string): Map<string, string[]> {
  const text = readFileSync(join(packageRoot(), 'docs/specification.md'), 'utf8');
  const [, body = ''] = text.split(`\n## ${section}\n`);
  const [own = ''] = body.split('\n## ');
  const rows = own
    .split('\n')
    .filter((line) => line.startsWith('|'))
    .slice(2)
    .map((line) => line.split('|').slice(1, -1));
  return new Map(
    rows.map(([key = '', ...cells]) => [key.trim(), cells.map((cell) => cell.trim().replaceAll('`', ''))]),
  );
}

describe('docs/specification.md', () => {
  it.each([
    ['profile-1', 0],
    ['profile-2', 1],
  ])('lists the products that %s has for each endpoint', async (name, column) => {
    const profile = await loadProfile(name);
    const served = endpoints.map(({ name: endpoint }) => [
      endpoint,
      profile.endpoints[endpoint]?.join(', ') ?? 'absent',
    ]);
    expect([...table('Endpoints and products')].map(([endpoint, cells]) => [endpoint, cells[column]])).toEqual(served);
  });

  it('lists the permission codes of each endpoint', () => {
    const codes = endpoints.map(({ name: endpoint, permissions }) => [
      endpoint,
      permissions.map((group) => group.join(' or ')).join(', and '),
    ]);
    expect([...table('Permissions')].map(([endpoint, [cell]]) => [endpoint, cell])).toEqual(codes);
  });

  it('lists the checks of a request under the names and in the order of the access records', () => {
    expect([...table('The checks of a request').keys()]).toEqual(checks);
  });
});
