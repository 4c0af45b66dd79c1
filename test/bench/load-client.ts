import { load, type Asked } from './load.js';

interface Wanted {
  readonly asked: readonly Asked[];
  readonly seconds: number;
  readonly connections?: number;
}

/** The process of a {@link ClientProcess}: sends the requested load and reports the figures. */
process.on('message', ({ asked, seconds, ...options }: Wanted) => {
  void load(asked, seconds, options).then((round) => process.send?.(round));
});
