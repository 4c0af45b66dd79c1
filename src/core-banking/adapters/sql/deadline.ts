import { CoreError } from '../../../../packages/core-adapter/core-error.js';

/** The same promise, or a timeout as soon as the signal fires. */
export function before<T>(signal: AbortSignal, awaited: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const onAbort = (): void => reject(new CoreError('timeout', 'the database did not answer before the deadline'));
    if (signal.aborted) onAbort();
    signal.addEventListener('abort', onAbort);
    const listenNoMore = (): void => signal.removeEventListener('abort', onAbort);
    awaited.then(
      (value) => {
        listenNoMore();
        resolve(value);
      },
      (error: Error) => {
        listenNoMore();
        reject(error);
      },
    );
  });
}
