/** The same promise, or the fault as soon as the signal fires. Listens to the signal until either. */
export function unlessAborted<T>(signal: AbortSignal, awaited: Promise<T>, fault: () => Error): Promise<T> {
  return new Promise((resolve, reject) => {
    const onAbort = (): void => reject(fault());
    if (signal.aborted) onAbort();
    signal.addEventListener('abort', onAbort, { once: true });
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
