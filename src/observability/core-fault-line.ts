import { CoreError } from '../../packages/core-adapter/core-error.js';
import { freeText } from '../open-banking/free-text.js';

/**
 * What the bank's operators are told of a core that is not ready: of one that answered, what its adapter makes of that,
 * which was made for them; of any other error nothing is repeated.
 * @param place where it was looked for, e.g. ` at http://core.example`
 * @param remedy of one that does not answer
 */
export function coreFaultLine(core: string, error: unknown, place = '', remedy = ''): string {
  return error instanceof CoreError && error.kind === 'bad-record'
    ? `the core "${core}" is not ready${place}: ${freeText(error.detail)}`
    : `the core "${core}" does not answer${place}${remedy}`;
}
