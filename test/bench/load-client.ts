import { load, type Asked } from './load.js';

interface Wanted {
  readonly asked: readonly Asked[];
  readonly seconds: number;
  readonly connections?: number;
}

/** The process of a {@link ClientProcess}: asks what it is told to, and tells what came of it. */
process.on('message', ({ asked, seconds, ...options }: Wanted) => {
  void load(asked, seconds, options).then((round) => process.send?.(round));
});
