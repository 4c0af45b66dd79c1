import { LRUCache } from 'lru-cache';
import { checks } from '../../src/open-banking/checks.js';
import type { WatchedRequest, StackReport } from '../stack-messages.js';

/** One request, with the facts that the gateway and the core have reported so far. */
export interface RequestStory extends WatchedRequest {
  /** Counts from 1. */
  readonly number: number;
  /** The gateway's access record of it, by the same names. */
  access?: Access;
  /** The gateway's reads of the core for this request; absent where the core is not the sandbox's, which reports them. */
  readonly reads?: WatchedRequest[];
}

export interface Access {
  readonly tpp?: string;
  readonly consentId?: string;
  readonly endpoint?: string;
  readonly error?: string;
  readonly refusedBy?: string;
}

export interface StoryFilter {
  /** Only requests that came before this one. */
  readonly before?: number;
  /** Only requests that were refused or failed. */
  readonly refused?: boolean;
  /** Only requests with this in their interaction id, URL, TPP, consent or refusing check. */
  readonly find?: string;
}

const kept = 10_000;
export const storiesOnPage = 25;

/** The latest requests, in a ring: the newest one replaces the oldest. */
export class RequestLog {
  private readonly ring: (RequestStory | undefined)[] = new Array<RequestStory | undefined>(kept);
  /** The newest request of each interaction id that is still kept. */
  private readonly newest = new Map<string, RequestStory>();
  /** Reads of the core that arrive before their request, by interaction id. */
  private readonly waiting = new LRUCache<string, WatchedRequest[]>({ max: 1_000 });
  private lastNumber = 0;
  private readonly listeners = new Set<(story: RequestStory | undefined) => void>();

  /** @param seesReads whether the core reports the reads, as the sandbox's own does */
  constructor(private readonly seesReads = true) {}

  /** How many requests there were so far. */
  get count(): number {
    return this.lastNumber;
  }

  /** Calls `listener` after each change. @returns a function that stops the calls */
  onChange(listener: (story: RequestStory | undefined) => void): () => void {
    this.listeners.add(listener);
    return () => void this.listeners.delete(listener);
  }

  /** Takes a report of a process of the stack: the gateway's requests and records, or a request to the core. */
  take(from: 'gateway' | 'bank', message: StackReport): void {
    if ('exchange' in message)
      this.notify(from === 'gateway' ? this.request(message.exchange) : this.read(message.exchange));
    else if ('record' in message) this.record(message.record);
  }

  /** The newest requests that fit, newest first, and whether there are older ones. */
  page({ before = Number.POSITIVE_INFINITY, refused = false, find = '' }: StoryFilter): {
    stories: readonly RequestStory[];
    older: boolean;
  } {
    const stories: RequestStory[] = [];
    const oldest = Math.max(1, this.lastNumber - kept + 1);
    const wanted = find.trim().toLowerCase();
    for (let number = Math.min(this.lastNumber, before - 1); number >= oldest; number--) {
      const story = this.ring[number % kept];
      if (story === undefined || (refused && !isRefused(story)) || !holds(story, wanted)) continue;
      if (stories.length === storiesOnPage) return { stories, older: true };
      stories.push(story);
    }
    return { stories, older: false };
  }

  private request(exchange: WatchedRequest): RequestStory {
    const id = exchange.interactionId;
    const reads = this.waiting.get(id) ?? [];
    const story: RequestStory = { ...exchange, number: ++this.lastNumber, ...(this.seesReads && { reads }) };
    this.waiting.delete(id);
    const index = story.number % kept;
    const former = this.ring[index];
    if (former !== undefined && this.newest.get(former.interactionId) === former)
      this.newest.delete(former.interactionId);
    this.ring[index] = story;
    this.newest.set(id, story);
    return story;
  }

  private read(exchange: WatchedRequest): RequestStory | undefined {
    // A change at the sandbox bank, which is not a read of the core.
    if (!exchange.url.startsWith('/ledger/')) return undefined;
    const story = this.newest.get(exchange.interactionId);
    if (story !== undefined) {
      story.reads?.push(exchange);
      return story;
    }
    this.waiting.set(exchange.interactionId, [...(this.waiting.get(exchange.interactionId) ?? []), exchange]);
    return undefined;
  }

  private record(line: string): void {
    const { access, bankAccess } = recordIn(line);
    // The console itself reads at the bank's port, and no read changes anything.
    if (bankAccess !== undefined && bankAccess.method !== 'GET') this.notify(undefined);
    const story = access && this.newest.get(access.interactionId);
    if (story === undefined || story.access !== undefined) return;
    story.access = access;
    this.notify(story);
  }

  private notify(story: RequestStory | undefined): void {
    for (const listener of this.listeners) listener(story);
  }
}

/** The checks that the request passed, in their order; `undefined` if unknown, as for the bank's pages and OAuth. */
export function passedChecks({
  access,
  status,
  url,
}: Pick<RequestStory, 'access' | 'status' | 'url'>): readonly string[] | undefined {
  if (!url.startsWith('/open-banking/')) return undefined;
  const end = checks.findIndex((check) => check === access?.refusedBy);
  if (end >= 0) return checks.slice(0, end);
  return status !== undefined && status < 400 && access?.tpp !== undefined ? checks : undefined;
}

export function isRefused({ status }: Pick<RequestStory, 'status'>): boolean {
  return status === undefined || status >= 400;
}

function holds(story: RequestStory, wanted: string): boolean {
  if (wanted === '') return true;
  const { interactionId, url, access } = story;
  const texts = [interactionId, url, access?.tpp, access?.consentId, access?.refusedBy, access?.error];
  return texts.some((text) => text?.toLowerCase().includes(wanted));
}

interface LogRecord {
  readonly access?: Access & { readonly interactionId: string };
  readonly bankAccess?: { readonly method?: string };
}

function recordIn(line: string): LogRecord {
  return JSON.parse(line) as LogRecord;
}
