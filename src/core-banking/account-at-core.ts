/** An account, by its core and reference: two cores may give equal references to different accounts. */
export interface AccountAtCore {
  /** Absent for a single core and for `FIRST_CORE`: see `CoreConfig.recordedAs`. */
  readonly core?: string | undefined;
  /** That core's reference of the account. */
  readonly ref: string;
}

/** One text for each account, to find it by. No core's name has a slash. */
export function accountKey({ core = '', ref }: AccountAtCore): string {
  return `${core}/${ref}`;
}
