import { CoreError } from '../../packages/core-adapter/core-error.js';
import { freeText } from '../open-banking/free-text.js';

/**
 * Tells the bank's operators why a core is not ready. A core that answered: the message of its adapter, which is written
 * for them. Any other error: nothing of it is repeated.
 * @param place where it was looked for, e.g. ` at http://core.example`
 * @param remedy of one that does not answer
 */
export function coreFaultLine(core: string, error: unknown, place = '', remedy = ''): string {
  return error instanceof CoreError && error.kind === 'bad-record'
    ? `the core "${core}" is not ready${place}: ${freeText(error.detail)}`
    : `the core "${core}" does not answer${place}${remedy}`;
}
