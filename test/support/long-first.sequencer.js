import Sequencer from '@jest/test-sequencer';

/**
 * Files that take long: adapters that answer too late, connections that hang, processes that are killed and started again.
 * Without the durations of an earlier run Jest begins with the largest files, and these are small: it would wait for them at
 * the end.
 */
const long =
  /[.]kit[.]spec|[/]adapter-kit[/]|[/]stores[/]data-directory[.]spec|[/]other-processes[.]spec|[.]nightly[.]spec/;

export default class LongFirst extends Sequencer {
  sort(tests) {
    const sorted = super.sort(tests);
    const isLong = ({ path }) => long.test(path);
    return [...sorted.filter(isLong), ...sorted.filter((test) => !isLong(test))];
  }
}
