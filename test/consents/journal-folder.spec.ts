import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { BootError } from '../../src/config/boot-error.js';
import { FileRevocationJournal } from '../../src/consents/journal/revocation-journal.js';
import { FakeClock } from '../support/fake-clock.js';
import { journalKey, sealedLines } from '../support/journal-lines.js';
import { noon } from '../support/stack.js';

describe('A journal in a folder with files', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'journal-folder-'));
  });
  afterEach(() => rm(folder, { recursive: true }));

  const [present, other] = [journalKey, `another-${journalKey}`];
  const line = JSON.stringify({ at: '2026-06-15T12:00:00.000Z', event: 'consent-deleted', id: 'c1' });
  const fileOf = (day: number, key: string, content = line): Promise<void> => {
    const name = `2026-06-${day}.host.7.0a1b2c3d.jsonl`;
    return writeFile(join(folder, name), sealedLines(name, [content], key));
  };
  const open = async (): Promise<string> => {
    const watch = { failed: () => undefined, overdue: () => undefined };
    try {
      await (await FileRevocationJournal.open({ directory: folder, key: present }, new FakeClock(noon), watch)).close();
      return 'opened';
    } catch (error) {
      expect(error).toBeInstanceOf(BootError);
      return (error as BootError).message;
    }
  };

  it('of another key, is refused in one line', async () => {
    await Promise.all([fileOf(13, other), fileOf(14, other)]);
    expect(await open()).toBe(
      `REVOCATION_JOURNAL names ${folder}, whose files were sealed with another REVOCATION_JOURNAL_KEY: set that key, ` +
        'or give a new key an empty folder (docs/runbook.md, "Changing secrets").',
    );
  });

  it.each<[string, () => Promise<unknown>]>([
    ['of this key', () => fileOf(13, present)],
    ['of this key and a later one of another', () => Promise.all([fileOf(13, present), fileOf(14, other)])],
    [
      'of which one was damaged',
      async () => {
        await fileOf(13, present);
        await writeFile(
          join(folder, '2026-06-14.host.7.0a1b2c3d.jsonl'),
          `${line.slice(0, -1)},"mac":"${'A'.repeat(43)}"}\n`,
        );
      },
    ],
    [
      'of another program, and one that its process did not complete',
      async () => {
        await writeFile(join(folder, '2026-06-13.host.7.0a1b2c3d.jsonl'), 'another\n');
        await writeFile(join(folder, '2026-06-14.host.7.0a1b2c3d.jsonl'), line.slice(0, 20));
        await mkdir(join(folder, '2026-06-12.host.7.0a1b2c3d.jsonl'));
      },
    ],
  ])('%s, is opened', async (_name, fill) => {
    await fill();
    expect(await open()).toBe('opened');
  });
});
