import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { escapedHtml } from '../../src/open-banking/html-text.js';
import { oauthErrorCodes } from '../../src/open-banking/oauth-reasons.js';
import { ofOAuth } from '../../src/trail/oauth-reasons.js';
import { errorTable } from '../../src/open-banking/error-table.js';
import { errorsDocument, errorsFile } from '../../tools/build/errors-document.js';
import { Stack } from '../support/stack.js';

describe('the page of the errors', () => {
  let stack: Stack;
  beforeAll(async () => {
    stack = await Stack.start();
  });
  afterAll(() => stack.close());

  it('explains every error of the table under its name, without a token', async () => {
    const { statusCode, headers, body } = await stack.gateway.server.inject('/docs/errors');
    expect([statusCode, headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
    expect([...body.matchAll(/<section id="([a-z-]+)">/g)].map(([, id]) => id)).toEqual(Object.keys(errorTable));
    for (const { code, help } of Object.values(errorTable)) {
      expect(body).toContain(code);
      expect(body).toContain(escapedHtml(help));
    }
    expect(body).toContain('UK.AIG.Path.Unknown');
    expect(body).not.toContain('{bank}');
  });

  it('has the errors of docs/tpp/errors.md: npm run openapi writes it', () => {
    expect(readFileSync(errorsFile, 'utf8')).toBe(errorsDocument());
  });

  it('explains every error code of the authorization server, and names the remedy', async () => {
    const { body } = await stack.gateway.server.inject('/docs/errors');
    for (const code of oauthErrorCodes) {
      expect(body).toContain(`<section id="${code}">`);
      expect(body).toContain(escapedHtml(ofOAuth[code].remedy));
    }
  });

  it('is the target of the Url of an error, on the public address of the gateway', async () => {
    const { json } = await stack.ask('/nothing', { token: await stack.clientToken() });
    const { Url } = json.Errors[0] as { Url: string };
    expect(Url).toBe('https://gateway.example/docs/errors#path-unknown');
    const { pathname, hash } = new URL(Url);
    const { body } = await stack.gateway.server.inject(pathname);
    expect(body).toContain(`id="${hash.slice(1)}"`);
  });
});
