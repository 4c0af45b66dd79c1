// Prints the kit's verdict on adapters that let an error go unhandled, in a process without a test runner.
import { checkCoreAdapter } from '../../packages/adapter-kit/adapter-kit.js';
import { rightKit } from './right-kit.js';
import { calls } from './wrong-adapters/wrong-adapter.js';

const strays = {
  thrown: calls(() => () => {
    setImmediate(() => {
      throw new Error('a connection was reset');
    });
    return new Promise(() => {});
  }),
  rejected: calls(() => (call, ask) => {
    void Promise.reject(new Error('an unawaited promise'));
    return ask(call);
  }),
};

for (const [name, make] of Object.entries(strays))
  for await (const { outcome, reason = '' } of checkCoreAdapter(make(rightKit), ['CORE-01', 'CORE-03']))
    process.stdout.write(`${name}: ${outcome} ${reason.split('\n', 1).join()}\n`);
