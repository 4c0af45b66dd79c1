import { randomBytes } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { accountReads, type CoreAdapter } from '../packages/core-adapter/core.adapter.js';
import { CoreError } from '../packages/core-adapter/core-error.js';
import type { CoreSettings } from '../packages/core-adapter/core-settings.js';
import { type CoreAnswer, throughProxy } from '../packages/adapter-kit/core-proxy.js';
import { HttpCoreProxy } from '../packages/adapter-kit/http-core-proxy.js';
import { jsonOf } from '../packages/adapter-kit/spoil.js';
import { type AnyRead, askAny, contextOf } from '../packages/adapter-kit/reads.js';
import { Pseudonyms } from './pseudonyms.js';

/** One answer of the core, as it is kept. */
export interface Fixture {
  readonly request: string;
  readonly status: number;
  readonly contentType?: string;
  readonly retryAfter?: string;
  /** Absent when the answer was not JSON: names in other formats cannot be found. */
  readonly body?: unknown;
}

export interface RecordingOptions {
  readonly customerRef: string;
  readonly keep: readonly string[];
  readonly folder: string;
}

/** Reads everything of one customer through a proxy, and keeps each answer with its words and numbers replaced. */
export async function record(
  create: (settings: CoreSettings) => Promise<CoreAdapter>,
  settings: CoreSettings,
  { customerRef, keep, folder }: RecordingOptions,
): Promise<string[]> {
  const proxy = await HttpCoreProxy.start(settings.url);
  try {
    const adapter = await create(throughProxy(settings, proxy.origin));
    try {
      const recording = new Recording(adapter, proxy, new Pseudonyms(randomBytes(32), new Set(keep)), folder);
      return await recording.of(customerRef);
    } finally {
      await adapter.close();
    }
  } finally {
    await proxy.close();
  }
}

interface Subject {
  readonly customerRef: string;
  readonly accountRef: string;
}

class Recording {
  private readonly written: string[] = [];

  constructor(
    private readonly adapter: CoreAdapter,
    private readonly proxy: HttpCoreProxy,
    private readonly pseudonyms: Pseudonyms,
    private readonly folder: string,
  ) {}

  /** @returns the names of the files written */
  async of(customerRef: string): Promise<string[]> {
    await mkdir(this.folder, { recursive: true });
    await this.keep('accounts', { customerRef, accountRef: '' });
    const { items } = await this.adapter.accounts(contextOf(customerRef));
    const reads: AnyRead[] = ['account', ...accountReads.filter((read) => this.adapter[read] !== undefined)];
    for (const [index, { ref }] of items.entries())
      // Numbered, because the core's reference of the account must not be in a file name.
      for (const read of reads) await this.keep(read, { customerRef, accountRef: ref }, index + 1);
    return this.written;
  }

  /** A file for each answer of the core to the read. */
  private async keep(read: AnyRead, subject: Subject, ...account: readonly number[]): Promise<void> {
    const fixtures = await this.recordAnswers(read, subject);
    for (const [index, fixture] of fixtures.entries()) {
      const file = `${[read, ...account, ...(fixtures.length === 1 ? [] : [index + 1])].join('-')}.json`;
      await writeFile(join(this.folder, file), `${JSON.stringify(fixture, undefined, 2)}\n`);
      this.written.push(file);
    }
  }

  private async recordAnswers(read: AnyRead, subject: Subject): Promise<Fixture[]> {
    const fixtures: Fixture[] = [];
    this.proxy.set({
      onAnswer: (path, answer, { method }) =>
        void fixtures.push(fixtureOf(`${method ?? 'GET'} ${path}`, answer, this.pseudonyms, subject)),
    });
    try {
      await askAny(this.adapter, read, subject);
    } catch (error) {
      // An answer that the adapter cannot read yet is the most useful one to keep.
      if (!(error instanceof CoreError)) throw error;
    } finally {
      this.proxy.set({});
    }
    return fixtures;
  }
}

function fixtureOf(
  request: string,
  answer: CoreAnswer,
  pseudonyms: Pseudonyms,
  { customerRef, accountRef }: Subject,
): Fixture {
  const json = jsonOf(answer);
  // Before the path, which may name what only the body shows to be a name.
  const body = json === undefined ? undefined : pseudonyms.json(json);
  const { 'content-type': contentType, 'retry-after': retryAfter } = answer.headers;
  return {
    request: pathOf(request, pseudonyms, [customerRef, accountRef]),
    status: answer.status,
    ...(contentType !== undefined && { contentType }),
    ...(retryAfter !== undefined && { retryAfter }),
    ...(body !== undefined && { body }),
  };
}

/** Words of a path belong to the core's API; references, numbers and all query values are personal and replaced. */
function pathOf(request: string, pseudonyms: Pseudonyms, refs: readonly string[]): string {
  const [path = '', query] = request.split('?');
  const segments = path.split('/').map((segment) => {
    const said = decodeURIComponent(segment);
    return refs.includes(said) || pseudonyms.knows(said) || /\d/.test(said)
      ? encodeURIComponent(pseudonyms.text(said))
      : segment;
  });
  if (query === undefined) return segments.join('/');
  const values = [...new URLSearchParams(query)].map(([name, value]): [string, string] => [
    name,
    pseudonyms.text(value),
  ]);
  return `${segments.join('/')}?${new URLSearchParams(values).toString()}`;
}
