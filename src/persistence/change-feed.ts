/** A row that some process changed, once the change is committed. */
export interface RowChange {
  /** The room that owns the rows names their kind, and writes it into the triggers of its migration. */
  readonly kind: string;
  /** Empty where the change is of the whole table. */
  readonly key: string;
}

/** The triggers notify this channel. */
export const changesChannel = 'row_changed';

/**
 * Decodes a notification, `kind:key`. Every user of the database can notify the channel. A change that was not made has a
 * row read again, and a kind without a subscriber, or a text without a colon, has no effect.
 */
export function decodeChange(payload: string): RowChange {
  const colon = payload.indexOf(':');
  return { kind: payload.slice(0, Math.max(colon, 0)), key: payload.slice(colon + 1) };
}

/** For how long after `heardUpToMs` the feed is trusted. */
export const echoTrustMs = 2_000;

/** Tells this process of the changes that any process makes to rows of any kind. */
export abstract class ChangeFeed {
  /** Every change that was committed before this moment (monotonic time) has been told, or belongs to an earlier session. */
  abstract readonly heardUpToMs: number;

  /** Rises whenever changes may have been missed: nothing that was read in an earlier session may be used. */
  abstract readonly session: number;

  /** @param onChange is called with the key of each changed row of this kind */
  abstract subscribe(kind: string, onChange: (key: string) => void): void;
}

/**
 * Whether what was read in the present session may be used now. Asked at each use: a process that was paused knows by the
 * time alone that it may have missed something.
 */
export function isTrusted(feed: ChangeFeed, nowMs: number): boolean {
  return nowMs - feed.heardUpToMs < echoTrustMs;
}

/** The feed as its source sees it. */
export class FedChanges extends ChangeFeed {
  override heardUpToMs = Number.NEGATIVE_INFINITY;
  override session = 0;
  private readonly listeners: ((change: RowChange) => void)[] = [];

  override subscribe(kind: string, onChange: (key: string) => void): void {
    this.listeners.push((change) => {
      if (change.kind === kind) onChange(change.key);
    });
  }

  tell(change: RowChange): void {
    for (const listener of this.listeners) listener(change);
  }

  trustUpTo(sentMs: number): void {
    this.heardUpToMs = sentMs;
  }

  /** Changes may be missed from now on. */
  distrust(): void {
    this.heardUpToMs = Number.NEGATIVE_INFINITY;
    this.session++;
  }
}
