import { describe, expect, it } from '@jest/globals';
import { BootError } from '../config/boot-error.js';
import { CoreError } from '../../packages/core-adapter/core-error.js';
import { awaitCore } from './await-core.js';

describe('a core that gives no good answer in time is named', () => {
  const waitFor = (fault: Error): Promise<void> => {
    const health = (signal: AbortSignal): Promise<void> =>
      Promise.reject(signal.aborted ? new CoreError('timeout', 'some-core did not answer before the deadline') : fault);
    return awaitCore({ name: 'some-core', health }, 'http://user:secret@core.bank.example/api', 10);
  };

  it('with the adapter’s words about the last answer, in one line and without a card number', async () => {
    const refused = new CoreError('bad-record', 'it answered 401:\ncheck the credentials of 4929421234567897');
    await expect(waitFor(refused)).rejects.toThrow(
      new BootError(
        'the core "some-core" is not ready at http://core.bank.example/api: ' +
          'it answered 401: check the credentials of xxxxxxxxxxxx7897',
      ),
    );
  });

  it('without the words of an error that is not the adapter’s', async () => {
    await expect(waitFor(new Error('connect ECONNREFUSED secret'))).rejects.toThrow(
      new BootError('the core "some-core" does not answer at http://core.bank.example/api: start it, or set CORE_URL'),
    );
  });
});
