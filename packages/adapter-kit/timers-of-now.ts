import { createHook } from 'node:async_hooks';
import { until } from './patience.js';

/** Longer than Node’s `fetch` keeps a connection, which the test core in the same process may use. */
const timerPatienceMs = 6_000;

/** The timers of an adapter that were started since then and still run, with the timers that keep no process alive. */
export class TimersOfNow {
  private readonly running = new Set<number>();
  private isWatching = true;
  private readonly hook = createHook({
    init: (id, type) => void (this.isWatching && type === 'Timeout' && this.concerns() && this.running.add(id)),
    destroy: (id) => void this.running.delete(id),
  }).enable();

  /** @param concerns asked when a timer is started: whether it is one of those */
  constructor(private readonly concerns: () => boolean = () => true) {}

  /** Waits until they have ended; later timers do not count. @throws AssertionError where one goes on */
  async end(): Promise<void> {
    this.isWatching = false;
    try {
      await until(() => this.running.size === 0, timerPatienceMs, 'timers of the adapter still run after close');
    } finally {
      this.hook.disable();
    }
  }
}
