import type { ApiVersion } from '../endpoint/api-version.js';
import { errorTable, type ErrorKind } from '../open-banking/error-table.js';
import { errorCodeOf } from '../open-banking/errors.js';
import { oauthErrorCodes, type OAuthErrorCode } from '../open-banking/oauth-reasons.js';
import { ofOAuth } from '../trail/oauth-reasons.js';
import { escapedHtml } from '../open-banking/html-text.js';

/**
 * Every error of the API, from the error table, and of the embedded authorization server. Each `Url` or `error_uri` of an error
 * leads to its part of this page.
 */
export function errorsPage(bankPrefix: string, versions: readonly ApiVersion[]): string {
  const kinds = Object.keys(errorTable) as ErrorKind[];
  const parts = kinds.map((kind) => {
    const { status, code, help } = errorTable[kind];
    return `<section id="${kind}">
<h2><a href="#${kind}">${escapedHtml(code)}</a></h2>
<p>${versions.map((version) => codeIn(version, kind, bankPrefix)).join(', ')} with status ${status}</p>
<p>${escapedHtml(help)}</p>
</section>`;
  });
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Errors of the account information API</title>
<style>${style}</style>
</head>
<body>
<main>
<p><a href="/docs">The API</a></p>
<h1>Errors</h1>
<p>An error states in <code>Errors[]</code> its cause, and in <code>Path</code> which member, parameter or header is at
fault. Quote <code>Id</code> and <code>x-fapi-interaction-id</code> when you report one.</p>
${parts.join('\n')}
<h1>Errors of the authorization server</h1>
<p>An answer has one of these codes in <code>error</code>, and the address of its part of this page in
<code>error_uri</code>.</p>
${oauthErrorCodes.map(oauthPart).join('\n')}
</main>
</body>
</html>
`;
}

function oauthPart(code: OAuthErrorCode): string {
  const { meaning, remedy } = ofOAuth[code];
  return `<section id="${code}">
<h2><a href="#${code}"><code>${code}</code></a></h2>
<p>${escapedHtml(meaning)}</p>
<p>${escapedHtml(remedy)}</p>
</section>`;
}

function codeIn({ name, errors }: ApiVersion, kind: ErrorKind, bankPrefix: string): string {
  const code = errorCodeOf(kind, { bankPrefix, words: errors }) ?? 'no body';
  return `<code>${escapedHtml(code)}</code> (${escapedHtml(name)})`;
}

const style = `:root { color-scheme: light dark; }
body { margin: 0; font: 1rem/1.5 system-ui, sans-serif; overflow-wrap: anywhere; }
main { max-width: 45rem; margin: 0 auto; padding: 1rem; }
h2 { margin: 0; font-size: 1.1rem; }
h2 a { color: inherit; text-decoration: none; }
section { margin: 1rem 0; padding: .75rem 1rem; border: 1px solid #8888; border-radius: .5rem; }
section p { margin: .25rem 0 0; }
section:target { border: 3px solid; }`;
