import type { AdapterUnderTest, Spoiling } from '../../packages/adapter-kit/adapter-kit.js';
import { rightKit, withHttp } from './right-kit.js';
import { around } from './wrong-adapters/wrong-adapter.js';

/** The right adapter, whose core the kit takes for one that speaks another protocol over TCP. Its test core spoils records. */
export function tcpKit(): AdapterUnderTest {
  let spoilt: { readonly spoiling: Spoiling; readonly read: string } | undefined;
  return {
    ...rightKit,
    core: async (wanted) => {
      const core = await rightKit.core(wanted);
      const spoil = (spoiling: Spoiling, read: string) => {
        spoilt = { spoiling, read };
        return Promise.resolve(() => Promise.resolve((spoilt = undefined)));
      };
      return { ...core, url: core.url.replace('http:', 'lines:'), spoil };
    },
    create: async (settings, services) => {
      const url = settings.url.replace('lines:', 'http:');
      // The test core is in this process, and has a timer for each connection that is kept.
      const unkept = withHttp(services, (right) => ({
        ask: ({ headers, ...question }, signal) =>
          right.ask({ ...question, headers: [...headers, 'connection', 'close'] }, signal),
      }));
      return around(await rightKit.create({ ...settings, url }, unkept), async (call, ask) => {
        const { items = [], ...answer } = await ask(call);
        if (call.read !== spoilt?.read) return ask(call);
        const isBad = (index: number): boolean => spoilt?.spoiling === 'all' || index === 1;
        const bad = items.flatMap((_, index) =>
          isBad(index) ? [{ where: `rows[${index}]`, fault: 'unreadable' }] : [],
        );
        return { ...answer, items: items.filter((_, index) => !isBad(index)), bad };
      });
    },
  };
}
