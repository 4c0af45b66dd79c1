import { describe, expect, it } from '@jest/globals';
import Provider from 'oidc-provider';
import context from 'oidc-provider/lib/helpers/als.js';
import { contextOf } from './provider-context.js';

describe('the request that the library is at', () => {
  it('is kept in no AsyncLocalStorage, which would make every promise of the process dearer', async () => {
    const seen = await context.run('a request', async () => Promise.resolve().then(() => Provider.ctx));
    expect(seen).toBeUndefined();
  });

  it('is never taken for none: a token that the library did not name fails its issue', () => {
    expect(() => contextOf({})).toThrow('the library did not name the token');
  });
});
