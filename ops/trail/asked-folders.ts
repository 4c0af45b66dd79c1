import { readTrailFolder } from '../../src/config/trail-command.js';
import type { Option } from 'commander';
import { several } from '../../src/command-line/command-line.js';

export interface TrailOption {
  readonly trail?: readonly string[];
}

export function trailOption(): Option {
  return several('--trail <DIR>', 'a folder of a trail, in place of TRAIL_DIR or DATA_DIR/trail');
}

export function askedFolders({ trail = [] }: TrailOption): readonly string[] {
  return trail.length > 0 ? trail : [readTrailFolder()];
}
