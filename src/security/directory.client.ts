import { readFileSync } from 'node:fs';
import type { JSONWebKeySet } from 'jose';
import { Agent, fetch, type RequestInit } from 'undici';
import { BootError } from '../config/boot-error.js';
import type { DirectoryConfig } from '../config/config.js';
import { maxAnswerBytes, publicFetch } from './public-fetch.client.js';

const patienceMs = 3_000;

/** What was asked cannot be had now. The message names neither address nor content. */
export class NotToBeHad extends Error {
  override readonly name = 'NotToBeHad';
}

/**
 * Fetches what the directory has, and what its statements say is elsewhere. The directory itself is an address that the bank
 * configured and may be in its own network; any other is from the public internet or not at all.
 */
export class DirectoryClient {
  private readonly own: ReadonlySet<string>;
  private readonly agent: Agent;

  constructor(private readonly config: DirectoryConfig) {
    const urls = [config.jwks, config.statements].filter((url) => url !== undefined && /^https?:/i.test(url));
    this.own = new Set(urls.map((url) => new URL(url ?? '').origin));
    const ca = config.caFile === undefined ? undefined : readCertificates(config.caFile);
    this.agent = new Agent({
      connect: { timeout: patienceMs, minVersion: 'TLSv1.2', ...(ca && { ca }) },
      maxResponseSize: maxAnswerBytes,
    });
  }

  /** Whether the URL is one of the directory's own. */
  isOwn(url: string): boolean {
    return URL.canParse(url) && this.own.has(new URL(url).origin);
  }

  fetch(url: string | URL, options: object | undefined): Promise<Response> {
    if (!this.isOwn(String(url))) return publicFetch(url, options);
    return fetch(url, { ...(options as RequestInit), dispatcher: this.agent }) as Promise<unknown> as Promise<Response>;
  }

  /** @throws NotToBeHad */
  async keySet(url: string): Promise<JSONWebKeySet> {
    if (!this.isOwn(url) && !/^https:\/\//i.test(url)) throw new NotToBeHad('not an https URL');
    const text = await this.text(url, 'application/json');
    try {
      return JSON.parse(text ?? '') as JSONWebKeySet;
    } catch (error) {
      throw new NotToBeHad('not a key set', { cause: error });
    }
  }

  /** What the directory states of the software now; `undefined` when it knows it no more. @throws NotToBeHad */
  async statement(softwareId: string): Promise<string | undefined> {
    const { statements } = this.config;
    if (statements === undefined) throw new NotToBeHad('the directory is not configured to be asked');
    const url = statements.replace('{software_id}', encodeURIComponent(softwareId));
    return (await this.text(url, 'application/jwt'))?.trim();
  }

  close(): Promise<void> {
    return this.agent.destroy();
  }

  /** `undefined` when there is none (any more). */
  private async text(url: string, accept: string): Promise<string | undefined> {
    try {
      const answer = await this.fetch(url, {
        headers: { accept },
        redirect: 'error',
        signal: AbortSignal.timeout(patienceMs),
      });
      if (answer.status === 404 || answer.status === 410) {
        await answer.body?.cancel();
        return undefined;
      }
      if (answer.status === 200) return await limited(answer);
      await answer.body?.cancel();
      throw new NotToBeHad(`answered ${answer.status}`);
    } catch (error) {
      throw error instanceof NotToBeHad ? error : new NotToBeHad('no answer', { cause: error });
    }
  }
}

/** The agents count what came, which may be packed; this counts what it unpacks to. */
async function limited(answer: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of (answer.body ?? []) as AsyncIterable<Uint8Array>) {
    bytes += chunk.length;
    if (bytes > maxAnswerBytes) throw new NotToBeHad('larger than any key set or statement');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function readCertificates(file: string): Buffer {
  try {
    return readFileSync(file);
  } catch {
    throw new BootError(`DIRECTORY_CA_FILE "${file}" cannot be read: name a readable PEM file`);
  }
}
