import type { Command } from 'commander';
import type { CommandOutput } from '../../src/command-line/command.js';
import { askedFolders, trailOption, type TrailOption } from './asked-folders.js';
import { askedTime, type TimeOptions, withTime } from './asked-time.js';
import { gapsIn } from './gaps.js';
import { withTrail, type AskedTime, type EventSelection, type SearchedTrail } from './searched-trail.js';

export interface SearchOptions extends TrailOption, TimeOptions {}

export type Note = (line: string) => void;

export function addSearch(trail: Command, name: string, help: string): Command {
  return withTime(trail.command(name).description(help).addOption(trailOption()));
}

/** Does the work on the trail of the time that was asked for. @param needed the events that the work needs */
export function searchTrail(
  options: SearchOptions,
  note: Note,
  work: (trail: SearchedTrail, time: AskedTime) => Promise<CommandOutput>,
  needed: EventSelection = askedTime(options),
): Promise<CommandOutput> {
  const time = askedTime(options);
  const folders = askedFolders(options);
  return withTrail(folders, needed, note, async (trail) => {
    const searched = { ...trail.searched, ...(await gapsIn(trail, folders, time, note)) };
    return work({ ...trail, searched }, time);
  });
}
