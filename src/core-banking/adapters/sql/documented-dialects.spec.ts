import { describe, expect, it } from '@jest/globals';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CertificateAuthority } from '../../../../test/support/certificates.js';
import { readBankFile } from './bank-file.js';
import { dialectOf } from './dialects.js';
import { drivers } from './driver.js';
import { readSqlSettings, sqlVariables } from './sql.settings.js';

const root = join(import.meta.dirname, '../../../..');
const page = readFileSync(join(root, 'docs/walks/sql.md'), 'utf8');
const bank = readFileSync(join(root, 'test/cores/sql/bank.yaml'), 'utf8');
const sectionOf = (title: string): string => page.split(/^## /m).find((section) => section.startsWith(title)) ?? '';
const blocksOf = (text: string, language: string): string[] =>
  [...text.matchAll(new RegExp(`^\`\`\`${language}\\n([^]*?)^\`\`\`$`, 'gm'))].map(([, block = '']) => block);

describe('docs/walks/sql.md', () => {
  it('lists the settings that the adapter takes', () => {
    const listed = [...sectionOf('Settings').matchAll(/`(CORE_[A-Z_]+)`(?=.*\|.*\|)/g)].map(([, name = '']) => name);
    const rows = listed.filter((name) => new RegExp(`^\\| .*\`${name}\``, 'm').test(sectionOf('Settings')));
    expect(rows.sort()).toEqual([...sqlVariables, 'CORE_URL', 'CORE_CONNECTIONS'].sort());
  });

  it('installs the drivers in the versions that the tests use', () => {
    const { dependencies } = JSON.parse(readFileSync(join(root, 'tools/ci/package.json'), 'utf8')) as {
      dependencies: Record<string, string>;
    };
    for (const [name, major] of Object.entries(drivers)) {
      expect(blocksOf(sectionOf('Install the driver'), 'text')[0]).toContain(
        `npm install --no-save ${name}@${major}\n`,
      );
      expect(dependencies[name]).toMatch(new RegExp(`^\\^${major}\\.`));
    }
  });

  describe.each([
    ['Microsoft SQL Server', 'sqlserver'],
    ['Oracle Database', 'oracle'],
  ])('for %s', (title, scheme) => {
    it('shows a part of a file that the adapter reads', () => {
      const [part = ''] = blocksOf(sectionOf(title), 'yaml');
      const from = bank.slice(bank.indexOf('transactions:'), bank.indexOf('party:'));
      expect(readBankFile(bank.replace(from, `${part}\n`)).reads.transactions?.query).toMatch(/^SELECT/);
    });

    it('shows settings that the adapter takes, of a dialect that exists', async () => {
      const folder = mkdtempSync(join(tmpdir(), 'documented-dialects-'));
      const authority = new CertificateAuthority();
      const client = authority.issue('gateway');
      const contents: Readonly<Record<string, string>> = {
        CORE_CA_FILE: authority.certificatePem,
        CORE_CERT_FILE: client.certificatePem,
        CORE_KEY_FILE: client.keyPem,
        CORE_SQL_FILE: bank,
      };
      const [block = ''] = blocksOf(sectionOf(title), 'properties');
      const { CORE_URL: url = '', ...shown } = Object.fromEntries(
        block
          .trim()
          .split('\n')
          .map((line) => line.split('=')),
      );
      const variables: Record<string, string> = { ...shown, CORE_PASSWORD: 'secret', CORE_SQL_FILE: '' };
      for (const [name, text] of Object.entries(contents))
        if (name in variables) writeFileSync((variables[name] = join(folder, name)), text);
      try {
        expect(Object.keys(shown).filter((name) => !sqlVariables.some((known) => known === name))).toEqual([]);
        const settings = readSqlSettings({ url, connections: 2, variables });
        expect(settings).toMatchObject({ scheme, host: 'db.bank.example', user: 'gateway_reader' });
        await expect(dialectOf(settings.scheme)).rejects.toThrow('is not installed');
      } finally {
        rmSync(folder, { recursive: true });
      }
    });
  });
});
