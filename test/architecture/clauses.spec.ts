import { expect, it } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { clausesFile, clausesPage } from '../../tools/build/clauses-page.js';

it('docs/bank/clauses.md has the clauses of both kits: npm run clauses writes it', () => {
  expect(readFileSync(clausesFile, 'utf8')).toBe(clausesPage());
});
