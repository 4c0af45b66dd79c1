import { join } from 'node:path';
import { sandboxSettings } from '../../sandbox/sandbox-settings.js';
import { settings } from '../../src/config/setting-names.js';
import type { DeclaredSetting } from '../../src/config/setting.js';
import { feedVariables } from '../../src/core-banking/adapters/feed/feed.settings.js';
import { fineractVariables } from '../../src/core-banking/adapters/fineract/fineract.settings.js';
import { sqlVariables } from '../../src/core-banking/adapters/sql/sql.settings.js';
import { oidcVariables } from '../../src/customer-authentication/adapters/oidc/oidc.settings.js';
import { packageRoot } from '../../src/persistence/package-root.js';

export const settingsFile = join(packageRoot(), 'docs', 'operate', 'settings.md');

/** The settings of each adapter in the repository, which the adapter declares itself. */
const ofAdapters: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'The adapter fineract': fineractVariables,
  'The adapter sql': sqlVariables,
  'The adapter feed': feedVariables,
  'The adapter oidc of the customer authentication': oidcVariables,
};

const introduction = `# Settings

<!-- npm run settings writes this page. -->

The gateway reads its settings from the environment, at its start alone. An empty variable counts as absent. A setting that is wrong,
or a name that is nearly that of a setting, stops the start with a line that names it.

A production operator decides the settings in **bold** type, which [.env.example](../../.env.example) lists. The bank's product people
decide the rules of the [product profile](../bank/product-profile.md).

**Files.** Each setting, also one of an adapter, can be in a file that \`<NAME>_FILE\` names in place of the variable, for example
\`BANK_CREDENTIAL_FILE=/run/secrets/bank-credential\`. A line break at the end of the file does not belong to the value. A setting
whose own name ends in \`_FILE\` is the path itself.

**Lists.** Where a setting takes several values with commas between them, no value has a comma. The first of several secrets is the
present one, and the gateway accepts the others while the bank replaces them ([keys-and-certificates.md](keys-and-certificates.md)).

**Secrets.** Make one with \`openssl rand -hex 32\`. The gateway refuses a secret that is short, repeats itself, is a placeholder or has two
uses.
`;

/** The text of docs/operate/settings.md. */
export function settingsPage(): string {
  const all = [...settings, ...sandboxSettings];
  const declared = [...new Set(all.map(({ subject }) => subject))].map(
    (subject) => `## ${subject}\n\n${table(all.filter((one) => one.subject === subject))}`,
  );
  const adapters = Object.entries(ofAdapters).map(
    ([adapter, variables]) =>
      `## ${adapter}\n\n${rows(
        ['Setting', 'Meaning'],
        Object.entries(variables).map(([name, meaning]) => [`\`${name}\``, meaning]),
      )}`,
  );
  return `${[introduction.trimEnd(), ...declared, ...adapters].join('\n\n')}\n`;
}

function table(list: readonly DeclaredSetting[]): string {
  return rows(
    ['Setting', 'Type', 'Default', 'Meaning'],
    list.map(({ name, type, byDefault, meaning, decided }) => [
      decided ? `**\`${name}\`**` : `\`${name}\``,
      type,
      byDefault === undefined
        ? ''
        : byDefault.includes('`') || byDefault.includes(' ')
          ? byDefault
          : `\`${byDefault}\``,
      meaning,
    ]),
  );
}

function rows(head: readonly string[], body: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...body.map(line)].join('\n');
}
