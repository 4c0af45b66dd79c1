import { CoreError } from '../../packages/core-adapter/core-error.js';

/** The failure of a read, with the core's name as operators give it. */
export class FailedRead extends CoreError {
  constructor(
    readonly core: string,
    { kind, detail, retryAfterSeconds }: CoreError,
  ) {
    super(kind, detail, retryAfterSeconds);
  }
}
