import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { announcedSince } from './announced.js';
import { breakingChanges } from './document-changes.js';
import { silentEventChanges } from './event-changes.js';
import type { Json } from './schema-changes.js';

/**
 * `npm run check:api`: compares docs/openapi, and the schema of the trail’s events, with the latest release before this commit,
 * in the repository of the working folder. It fails on a breaking change of the API that CHANGELOG.md does not announce, and on
 * an incompatible change of the events that has no new version.
 */
const folder = 'docs/openapi';
const eventSchema = 'docs/trail-event.schema.json';
const git = (...words: string[]): string =>
  execFileSync('git', words, { encoding: 'utf8', maxBuffer: 1 << 28, stdio: ['ignore', 'pipe', 'pipe'] });

const release = latestRelease();
if (release === undefined)
  console.log(`The API was compared with no release: no commit before this one has the tag of a release${cut()}`);
else process.exitCode = [compareWith(release), compareEventsWith(release)].every(Boolean) ? 0 : 1;

function latestRelease(): string | undefined {
  // The commit of a release is compared with the release before it. A first commit has none before it.
  if (git('rev-list', '--max-count=2', 'HEAD').trim().split('\n').length < 2) return undefined;
  const tags = git('tag', '--list', 'v[0-9]*', '--merged', 'HEAD^').trim();
  return tags === '' ? undefined : git('describe', '--tags', '--abbrev=0', '--match', 'v[0-9]*', 'HEAD^').trim();
}

function cut(): string {
  return git('rev-parse', '--is-shallow-repository').trim() === 'true' ? ', as far as this shallow clone knows' : '';
}

function compareWith(tag: string): boolean {
  const announced = announcedSince(git('show', `${tag}:CHANGELOG.md`), readFileSync('CHANGELOG.md', 'utf8'));
  const files = git('ls-tree', '--name-only', tag, `${folder}/`)
    .split('\n')
    .filter((file) => file.endsWith('.json'));
  const silent = files.flatMap((file) =>
    changesOf(tag, file)
      .filter(({ place }) => !announced.has(place))
      .map(({ rule, place }) => `${file}: ${rule}: \`${place}\``),
  );
  if (silent.length === 0) {
    console.log(`The API was compared with ${tag}: every breaking change is announced`);
    return true;
  }
  console.error(`Breaking changes of the API since ${tag}:\n${silent.join('\n')}`);
  console.error(
    'Undo each, or announce it in CHANGELOG.md: an item that begins with "- Breaking: " and has the words in backticks.',
  );
  return false;
}

function compareEventsWith(tag: string): boolean {
  // The first releases had no schema of the events.
  if (git('ls-tree', '--name-only', tag, eventSchema).trim() === '') return true;
  const silent = silentEventChanges(JSON.parse(git('show', `${tag}:${eventSchema}`)) as Json, read(eventSchema) ?? {});
  if (silent.length === 0) return true;
  const changes = silent.map(({ rule, place }) => `${rule}: ${place}`).join('\n');
  console.error(`Incompatible changes of the trail's events since ${tag}:\n${changes}`);
  console.error(
    'Undo each, or raise eventVersion in src/trail/event.ts and say in docs/operate/trail.md what changed.',
  );
  return false;
}

function changesOf(tag: string, file: string): ReturnType<typeof breakingChanges> {
  const old = JSON.parse(git('show', `${tag}:${file}`)) as Json;
  const name = file.slice(folder.length + 1);
  const now = read(join(folder, name));
  return now === undefined ? [{ rule: 'document-removed', place: name }] : breakingChanges(old, now);
}

function read(file: string): Json | undefined {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Json;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
