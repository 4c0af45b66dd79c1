import { describe, expect, it } from '@jest/globals';
import type { GatewayConfig } from './config/config.js';
import { refuseLastingChange } from './renewed.js';

describe('SIGHUP', () => {
  it('takes no other key of the revocation journal, whose open file has one key', () => {
    const config = (key: string) =>
      ({ database: {}, revocationJournal: { directory: '/journal', key } }) as unknown as GatewayConfig;
    expect(() => refuseLastingChange(config('one'), config('one'))).not.toThrow();
    expect(() => refuseLastingChange(config('one'), config('other'))).toThrow(
      'REVOCATION_JOURNAL_KEY has changed: that needs a restart',
    );
  });
});
