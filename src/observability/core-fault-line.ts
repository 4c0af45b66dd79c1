import type { ConnectFault } from '../../packages/core-adapter/connect-fault.js';
import { isCoreError } from '../../packages/core-adapter/core-error.js';
import { freeText } from '../open-banking/free-text.js';

const connectFaults: Readonly<Record<Exclude<ConnectFault, 'settings'>, string>> = {
  refused: 'the connection is refused',
  'host-unknown': 'the name of its host is unknown',
  'no-route': 'no route leads to its host',
  'no-answer': 'no connection within the time limit',
  lost: 'the connection is lost',
  tls: 'TLS fails',
};

/**
 * The line for the bank's operators that says why a core is not ready. Where the core answered, the line has the message of its adapter,
 * which is written for operators. A core that answers too late is distinguished from one that cannot be connected to. The line repeats
 * nothing of any other error.
 * @param where the core's address, e.g. ` at http://core.example`
 * @param remedy the remedy where the core does not answer
 */
export function coreFaultLine(core: string, error: unknown, where = '', remedy = ''): string {
  if (!isCoreError(error)) return `the core "${core}" does not answer${where}${remedy}`;
  const { kind, detail, connectFault: fault = '' } = error;
  if (kind === 'bad-record' || kind === 'stale' || fault === 'settings')
    return `the core "${core}" is not ready${where}: ${freeText(detail)}`;
  // An adapter in a separate repository may have a later copy of the port.
  const why = Object.hasOwn(connectFaults, fault) ? ` (${connectFaults[fault as keyof typeof connectFaults]})` : '';
  return `the core "${core}" does not answer${kind === 'timeout' ? ' in time' : ''}${where}${why}${remedy}`;
}
