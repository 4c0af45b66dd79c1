import { readTrailFolder } from '../../src/config/trail-command.js';
import type { Given } from '../command-line.js';

export const trailOption = {
  trail: { value: 'DIR', help: 'a folder of a trail, in place of TRAIL_DIR or DATA_DIR/trail', several: true },
} as const;

export function askedFolders({ options }: Given): readonly string[] {
  const given = options['trail'] ?? [];
  return given.length > 0 ? given : [readTrailFolder()];
}
