import { CoreError } from '../../packages/core-adapter/core-error.js';
import { freeText } from '../open-banking/free-text.js';

/**
 * Tells the bank's operators why a core is not ready. Where the core answered, the line has the message of its adapter,
 * which is written for operators. The line repeats nothing of any other error.
 * @param place the core's address, e.g. ` at http://core.example`
 * @param remedy the remedy where the core does not answer
 */
export function coreFaultLine(core: string, error: unknown, place = '', remedy = ''): string {
  return error instanceof CoreError && (error.kind === 'bad-record' || error.kind === 'stale')
    ? `the core "${core}" is not ready${place}: ${freeText(error.detail)}`
    : `the core "${core}" does not answer${place}${remedy}`;
}
