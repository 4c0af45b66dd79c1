import { describe, expect, it } from '@jest/globals';
import type { AdapterUnderTest } from '../../packages/adapter-kit/adapter-kit.js';
import { CoreError } from '../../packages/core-adapter/core-error.js';
import { resultOf, rightKit } from './right-kit.js';
import { http } from './wrong-adapters/wrong-adapter.js';

/** An adapter that signs in at its first call and keeps the login, and a core that can end it. */
function signingIn({ renews }: { readonly renews: boolean }): AdapterUnderTest {
  let current = 1;
  const kit = http((right) => {
    let login = 0;
    return {
      ask: async (question, signal) => {
        if (login === 0) await right.ask({ path: '/ping', headers: [] }, signal);
        if (login === 0) login = current;
        if (login === current) return right.ask(question, signal);
        if (renews) login = 0;
        throw new CoreError('unavailable', 'the core refuses the login');
      },
    };
  })(rightKit);
  const endLogins = async (): Promise<void> => void current++;
  return { ...kit, core: async (wanted) => ({ ...(await kit.core(wanted)), endLogins }) };
}

const withoutEnd = (kit: AdapterUnderTest): AdapterUnderTest => ({
  ...kit,
  core: async (wanted) => ({ ...(await kit.core(wanted)), endLogins: undefined }),
});

async function checked(kit: AdapterUnderTest): Promise<string> {
  const { outcome, reason = outcome } = await resultOf(kit, 'CORE-77');
  return reason;
}

describe('the clause on logins', () => {
  it('is kept by an adapter that signs in again once its login was refused', async () => {
    expect(await checked(signingIn({ renews: true }))).toBe('kept');
  });

  it('is kept without `endLogins` where each call has the secret of the settings', async () => {
    expect(await checked(rightKit)).toBe('kept');
  });

  it('refuses an adapter that keeps a login which the core has ended', async () => {
    expect(await checked(signingIn({ renews: false }))).toBe(
      'accounts, the second after the core has ended the login: CoreError: unavailable: the core refuses the login. ' +
        'Where the core refuses a login, forget it, and sign in for the next call',
    );
  });

  it('asks for `endLogins` where an adapter signs in', async () => {
    expect(await checked(withoutEnd(signingIn({ renews: true })))).toContain('Give the test core `endLogins`');
  });

  it('asks for `endLogins` where a token comes from elsewhere', async () => {
    const foreign = http((right) => ({
      ask: ({ headers, ...question }, signal) =>
        right.ask({ ...question, headers: [...headers, 'authorization', 'Bearer login-1'] }, signal),
    }));
    expect(await checked(foreign(rightKit))).toContain('is in none of its settings');
  });
});
