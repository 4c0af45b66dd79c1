import { CoreError } from '../../packages/core-adapter/core-error.js';
import { freeText } from '../open-banking/free-text.js';

/**
 * Tells the bank's operators why a core is not ready. Where the core answered, the line has the message of its adapter,
 * which is written for operators. A core that answers too late is told from one that does not answer. The line repeats
 * nothing of any other error.
 * @param place the core's address, e.g. ` at http://core.example`
 * @param remedy the remedy where the core does not answer
 */
export function coreFaultLine(core: string, error: unknown, place = '', remedy = ''): string {
  const kind = error instanceof CoreError ? error.kind : undefined;
  if (error instanceof CoreError && (kind === 'bad-record' || kind === 'stale'))
    return `the core "${core}" is not ready${place}: ${freeText(error.detail)}`;
  return `the core "${core}" does not answer${kind === 'timeout' ? ' in time' : ''}${place}${remedy}`;
}
