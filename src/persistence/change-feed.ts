/** A row that some process changed, once the change is committed. */
export type Change =
  | { readonly of: 'consent'; readonly consentId: string }
  | { readonly of: 'tpp'; readonly clientId: string }
  | { readonly of: 'tpp-standing'; readonly tppId: string }
  | { readonly of: 'signing-keys' };

/** The triggers notify this channel. Its name is older than the changes of TPPs and keys, and stays for rolling upgrades. */
export const changesChannel = 'consent_changed';

const tppPrefix = 'tpp:';
const standingPrefix = 'tpp-standing:';
const signingKeys = 'signing-keys:';

/** Reads a notification of {@link changesChannel}: see the migrations. */
export function readChange(payload: string): Change {
  if (payload === signingKeys) return { of: 'signing-keys' };
  if (payload.startsWith(tppPrefix)) return { of: 'tpp', clientId: payload.slice(tppPrefix.length) };
  if (payload.startsWith(standingPrefix)) return { of: 'tpp-standing', tppId: payload.slice(standingPrefix.length) };
  return { of: 'consent', consentId: payload };
}

/** For how long after `heardUpToMs` the feed is trusted. */
export const trustedForMs = 2_000;

/** Tells this process of the changes that any process makes to consents, TPPs and signing keys. */
export abstract class ChangeFeed {
  /** Every change that was committed before this moment (monotonic time) has been told, or belongs to an earlier session. */
  abstract readonly heardUpToMs: number;

  /** Rises whenever changes may have been missed: nothing that was read in an earlier session may be used. */
  abstract readonly session: number;

  abstract subscribe(onChange: (change: Change) => void): void;
}

/**
 * Whether what was read in the present session may be used now. Asked at each use: a process that was paused knows by the
 * time alone that it may have missed something.
 */
export function isTrusted(feed: ChangeFeed, nowMs: number): boolean {
  return nowMs - feed.heardUpToMs < trustedForMs;
}

/** The feed as its source sees it. */
export class FedChanges extends ChangeFeed {
  override heardUpToMs = Number.NEGATIVE_INFINITY;
  override session = 0;
  private readonly listeners: ((change: Change) => void)[] = [];

  override subscribe(onChange: (change: Change) => void): void {
    this.listeners.push(onChange);
  }

  tell(change: Change): void {
    for (const listener of this.listeners) listener(change);
  }

  hearUpTo(sentMs: number): void {
    this.heardUpToMs = sentMs;
  }

  /** Changes may be missed from now on. */
  miss(): void {
    this.heardUpToMs = Number.NEGATIVE_INFINITY;
    this.session++;
  }
}
