import { join } from 'node:path';
import { errorTable, type ErrorKind } from '../../src/open-banking/error-table.js';
import { errorCodeOf } from '../../src/open-banking/errors.js';
import { oauthErrorCodes } from '../../src/open-banking/oauth-reasons.js';
import { packageRoot } from '../../src/persistence/package-root.js';
import { ofOAuth } from '../../src/trail/oauth-reasons.js';
import { versions } from '../../src/versions/versions.js';

export const errorsFile = join(packageRoot(), 'docs', 'tpp', 'errors.md');

const introduction = `# Errors

<!-- npm run openapi writes this page. -->

For a TPP's developer. Each answer names its error by \`ErrorCode\` or \`error\`, and links by \`Url\` or \`error_uri\` to the same words.
`;

/** The text of docs/tpp/errors.md: each error with its cause and its fix, from the tables that answer requests. */
export function errorsDocument(): string {
  const kinds = Object.keys(errorTable) as ErrorKind[];
  const ofApi = kinds.map((kind) => {
    const { code, help } = errorTable[kind];
    const codes = versions.map(({ errors: words }) => errorCodeOf(kind, { bankPrefix: '{bank}', words }));
    return [kind, code, ...codes.map((each) => (each === undefined ? 'no body' : `\`${each}\``)), help];
  });
  const ofServer = oauthErrorCodes.map((code) => {
    const { meaning, remedy } = ofOAuth[code];
    return [`\`${code}\``, meaning, remedy];
  });
  return `${introduction}
## The API

${table([['Error', 'Code, v3.1', ...versions.map(({ name }) => `ErrorCode, ${name}`), 'Cause and fix'], ...ofApi])}

## The authorization server

${table([['Error', 'Cause', 'Fix'], ...ofServer])}
`;
}

function table([head = [], ...body]: readonly (readonly string[])[]): string {
  const row = (cells: readonly string[]): string =>
    `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
  return [row(head), row(head.map(() => '---')), ...body.map(row)].join('\n');
}
