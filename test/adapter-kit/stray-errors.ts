// Prints the kit's verdict on adapters that let an error go unhandled, in a process without a test runner.
import { checkCoreAdapter } from '../../packages/adapter-kit/adapter-kit.js';
import { tinyKit } from './tiny-core.js';
import { TinyAdapter, type TinyAnswer } from './tiny.adapter.js';

const strays: Readonly<Record<string, () => unknown>> = {
  thrown: () =>
    setImmediate(() => {
      throw new Error('a connection was reset');
    }),
  rejected: () => void Promise.reject(new Error('an unawaited promise')),
};

for (const [name, stray] of Object.entries(strays)) {
  class StrayAdapter extends TinyAdapter {
    override send(path: string, signal: AbortSignal): Promise<TinyAnswer> {
      stray();
      return name === 'thrown' ? new Promise(() => {}) : super.send(path, signal);
    }
  }
  const kit = tinyKit((settings) => new StrayAdapter(settings));
  for await (const { outcome, reason = '' } of checkCoreAdapter(kit, ['CORE-01', 'CORE-03']))
    process.stdout.write(`${name}: ${outcome} ${reason.split('\n', 1).join()}\n`);
}
