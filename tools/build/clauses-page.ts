import { join } from 'node:path';
import { type Clause, clauses, clausesOf } from '../../packages/adapter-kit/clauses.js';
import { signOnClauses } from '../../packages/adapter-kit/sign-on/clauses.js';
import { packageRoot } from '../../src/persistence/package-root.js';

export const clausesFile = join(packageRoot(), 'docs', 'bank', 'clauses.md');

/** The text of docs/bank/clauses.md, from the declarations of both kits. */
export function clausesPage(): string {
  const connections = new Set(clausesOf('http'));
  const replicas = new Set(clausesOf('replica'));
  const sections: readonly (readonly [string, readonly Clause[]])[] = [
    ['Every adapter of a core', clauses.filter((one) => connections.has(one) && replicas.has(one))],
    ['An adapter that asks the core', clauses.filter((one) => !replicas.has(one))],
    ['An adapter that reads a replica', clauses.filter((one) => !connections.has(one))],
    ["An adapter of the bank's sign-on", signOnClauses],
  ];
  return `# Clauses

<!-- npm run clauses writes this page. -->

For a bank's engineer: \`npm run adapter -- check\` checks an adapter by these clauses, against a [test core](port.md#the-test-core).

${sections.map(([title, list]) => `## ${title}\n\n${table(list)}`).join('\n\n')}
`;
}

function table(list: readonly Clause[]): string {
  return ['| Clause | Promise |', '| --- | --- |', ...list.map(({ id, sentence }) => `| ${id} | ${sentence} |`)].join(
    '\n',
  );
}
