import { BootError } from '../config/boot-error.js';
import { faultCode } from '../observability/fault-record.js';
import { freeText } from '../open-banking/free-text.js';

/** Ends the process with code 1 and one line on standard error. */
export function fail(error: unknown): void {
  const line = error instanceof BootError ? error.message : unexpected(error);
  process.stderr.write(`gateway: ${line}\n`);
  process.exit(1);
}

/** Node itself would print the stack of an error that no code handles. */
export function failOnUnhandledErrors(): void {
  process.on('uncaughtException', fail);
  process.on('unhandledRejection', fail);
}

/** Their messages are about the program. Messages of other errors may quote data. */
const languageErrors = new Set(['TypeError', 'RangeError', 'ReferenceError']);

/** A fault of the program, in one line with its name and place. */
function unexpected(error: unknown): string {
  if (!(error instanceof Error)) return 'a fault in the program: report it with the line before';
  const code = faultCode(error);
  const [message = ''] = error.message.split('\n');
  const position = /\(?([^\s(]+:\d+:\d+)\)?$/m.exec(error.stack?.slice(error.stack.indexOf('\n    at ')) ?? '')?.[1];
  return (
    `a fault in the program, ${error.name}${code === error.name ? '' : ` ${code}`} at ${position ?? 'an unknown place'}` +
    (languageErrors.has(error.name) ? `: ${freeText(message)}` : ': report this line')
  );
}
