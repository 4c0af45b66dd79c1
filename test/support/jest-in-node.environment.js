import { ModernFakeTimers } from '@jest/fake-timers';
import { ModuleMocker } from 'jest-mock';

/** The environment of one test file without a virtual machine: the globals of the process are those of the test. */
export default class NodeItself {
  /** Jest writes into it what it would write into a virtual machine's globals; only the console is of interest. */
  global = {};
  moduleMocker = new ModuleMocker(globalThis);

  constructor({ projectConfig }) {
    this.fakeTimersModern = new ModernFakeTimers({ config: projectConfig, global: globalThis });
  }

  getVmContext() {
    return null;
  }

  setup() {
    this.consoleBefore = globalThis.console;
    globalThis.console = this.global.console;
  }

  teardown() {
    this.fakeTimersModern.dispose();
    globalThis.console = this.consoleBefore;
  }
}
