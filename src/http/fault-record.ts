import { freeText } from '../open-banking/free-text.js';

/**
 * What the log may say of an error that is not ours: what failed and where. Never its message: that of a database or of a
 * library may quote data.
 */
export function faultRecord(error: unknown): Readonly<Record<string, string>> {
  if (!(error instanceof Error)) return { fault: typeof error };
  const { cause } = error;
  return {
    fault: freeText(error.name),
    ...(cause instanceof Error && { cause: freeText(cause.name) }),
    stack: stackWithoutMessage(error),
  };
}

function stackWithoutMessage(error: Error): string {
  return (error.stack ?? '')
    .replace(error.message, '')
    .split('\n')
    .filter((line) => /^\s+at .*:\d+:\d+\)?$/.test(line))
    .slice(0, 12)
    .map((line) => freeText(line))
    .join('\n');
}
