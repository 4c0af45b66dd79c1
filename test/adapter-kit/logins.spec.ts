import { describe, expect, it } from '@jest/globals';
import { type AdapterUnderTest, checkCoreAdapter } from '../../packages/adapter-kit/adapter-kit.js';
import type { CoreSettings } from '../../packages/core-adapter/core-settings.js';
import { CoreError } from '../../packages/core-adapter/core-error.js';
import { startTinyCore, tinyKit } from './tiny-core.js';
import { type Row, TinyAdapter, type TinyAnswer, type Where } from './tiny.adapter.js';

/** Signs in at its first call, and keeps the token. */
class KeepingAdapter extends TinyAdapter {
  private signingIn: Promise<void> | undefined;
  private readonly secret = this.token;

  override async get(path: readonly string[], where: Where, search?: string): Promise<Row> {
    await (this.signingIn ??= this.signIn(where));
    return super.get(path, where, search);
  }

  private async signIn(where: Where): Promise<void> {
    this.token = this.secret;
    const { login } = await super.get(['login'], where);
    this.token = String(login);
  }

  override refusal(answer: TinyAnswer, path: readonly string[]): CoreError {
    if (answer.status !== 401) return super.refusal(answer, path);
    this.refused();
    return new CoreError('unavailable', 'tiny refuses the token');
  }

  refused(): void {}

  forget(): void {
    this.signingIn = undefined;
  }
}

/** Signs in again for the call after one that was refused. */
class RenewingAdapter extends KeepingAdapter {
  override refused(): void {
    this.forget();
  }
}

describe('the clause on logins', () => {
  const checked = async (kit: AdapterUnderTest): Promise<string> => {
    for await (const { outcome, reason } of checkCoreAdapter(kit, ['CORE-77'])) return reason ?? outcome;
    return 'not checked';
  };
  const kitOf = (Adapter: new (settings: CoreSettings) => TinyAdapter): AdapterUnderTest => ({
    ...tinyKit((settings) => new Adapter(settings)),
    core: (world) => startTinyCore({ ...world, hasLogins: true }),
  });
  const withoutEnd = (kit: AdapterUnderTest): AdapterUnderTest => ({
    ...kit,
    core: async (world) => ({ ...(await kit.core(world)), endLogins: undefined }),
  });

  it('is kept by an adapter that signs in again once its login was refused', async () => {
    expect(await checked(kitOf(RenewingAdapter))).toBe('kept');
  });

  it('is kept without `endLogins` where each call has the secret of the settings', async () => {
    expect(await checked(tinyKit((settings) => new TinyAdapter(settings)))).toBe('kept');
  });

  it('refuses an adapter that keeps a login which the core has ended', async () => {
    expect(await checked(kitOf(KeepingAdapter))).toBe(
      'accounts, the second after the core has ended the login: CoreError: unavailable: tiny refuses the token. ' +
        'Where the core refuses a login, forget it, and sign in for the next call',
    );
  });

  it('asks for `endLogins` where an adapter signs in', async () => {
    expect(await checked(withoutEnd(kitOf(RenewingAdapter)))).toContain('Give the test core `endLogins`');
  });

  it('asks for `endLogins` where a token comes from elsewhere', async () => {
    class ForeignAdapter extends RenewingAdapter {
      constructor(settings: CoreSettings) {
        super(settings);
        // As if another server had given the token.
        this.token = 'login-1';
      }
      override get(path: readonly string[], where: Where, search?: string): Promise<Row> {
        return TinyAdapter.prototype['get'].call(this, path, where, search);
      }
    }
    expect(await checked(withoutEnd(kitOf(ForeignAdapter)))).toContain('is in none of its settings');
  });
});
