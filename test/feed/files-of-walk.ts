import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pages } from '../support/documents.js';

export const walk = pages.get('docs/bank/walks/files.md') ?? '';
/** The files that the walk shows, each below its name. */
export const filesOfWalk = [...walk.matchAll(/^`([\w./]+)`:\n\n```\w+\n([\s\S]*?)```$/gm)].map(
  ([, name = '', text = '']) => ({ name, text }),
);
const settings = /^export (.*)$/m.exec(walk)?.[1] ?? '';

/** Writes the files of the walk into a folder. @returns the settings that the walk gives the core */
export function writeWalk(folder: string): Record<string, string> {
  if (filesOfWalk.length !== 7) throw new Error(`the walk shows ${filesOfWalk.length} files and not seven`);
  for (const { name, text } of filesOfWalk) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  const pairs = settings.replaceAll('$PWD', folder).split(' ');
  return Object.fromEntries(pairs.map((pair) => pair.split('=', 2) as [string, string]));
}
