import { load, type Asked } from './load.js';

/** The process of a {@link ClientProcess}: asks what it is told to, and tells what came of it. */
process.on('message', ({ asked, seconds }: { asked: readonly Asked[]; seconds: number }) => {
  void load(asked, seconds).then((round) => process.send?.(round));
});
