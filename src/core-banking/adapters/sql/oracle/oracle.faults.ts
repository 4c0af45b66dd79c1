import { connectFaultOf } from '../../../../../packages/core-adapter/connect-fault.js';
import { CoreError } from '../../../../../packages/core-adapter/core-error.js';
import type { Faults } from '../connections.js';
import { StatementFault } from '../dialect.js';

/** An error of the driver: `ORA-00942` is the database's, `NJS-500` the driver's. */
interface DriverError {
  readonly code?: string;
  /** The place in the statement, from 0. */
  readonly offset?: number;
}

/** The driver has broken a call off at its limit; the database confirms that a call was broken off. */
const timedOut = ['NJS-123', 'ORA-01013'];
/** A lock, an old snapshot, a plan that changed, a standby, memory, a limit of sessions: the next attempt may succeed. */
const passing = /^ORA-(00018|00020|00054|00060|01555|04020|04021|04030|04031|04068|08103|10387|12805|16\d{3}|30006)$/;

const codeOf = (error: unknown): string => (error as DriverError).code ?? 'no code';
const isOfTheStatement = (code: string): boolean =>
  code.startsWith('ORA-') && !timedOut.includes(code) && !passing.test(code);

function endsSession(error: unknown): boolean {
  return !(error instanceof StatementFault) && !codeOf(error).startsWith('ORA-');
}

function faultOf(error: unknown): CoreError | StatementFault {
  if (error instanceof CoreError || error instanceof StatementFault) return error;
  const code = codeOf(error);
  if (timedOut.includes(code)) return new CoreError('timeout', 'the database ended a statement at its time limit');
  if (passing.test(code)) return new CoreError('unavailable', `the database gave a statement up (${code})`);
  if (!isOfTheStatement(code)) return unreachable(error);
  return new CoreError('bad-record', `the database refused a statement (${code})`);
}

function unreachable(error: unknown): CoreError {
  const code = codeOf(error);
  return new CoreError('unavailable', `the database cannot be reached (${code})`, undefined, connectFaultOf(code));
}

export const oracleFaults: Faults = { endsSession, faultOf, unreachable };

const meanings: Readonly<Record<string, string>> = {
  'ORA-00904': 'a column does not exist',
  'ORA-00918': 'two of its columns have the same name',
  'ORA-00932': 'it compares or computes with types that do not fit',
  'ORA-00933': 'the database does not understand it',
  'ORA-00936': 'the database does not understand it',
  'ORA-00942': 'a table does not exist, or the database user of the gateway may not read it',
  'ORA-00998': 'a column has no name',
  'ORA-01031': 'the database user of the gateway may not read it',
  'ORA-01722': 'a code is no number, and its column has numbers',
};

/** Why the database refuses a statement of the bank's file. Nothing of its message is repeated but the place in the file. */
export function statementFault(error: unknown, text = ''): unknown {
  const code = codeOf(error);
  if (!isOfTheStatement(code)) return error;
  const fault = `${meanings[code] ?? 'the database refuses it'} (${code})`;
  const { offset } = error as DriverError;
  if (text === '' || offset === undefined) return new StatementFault(fault);
  const [word] = /^[\w."$#]{1,80}/.exec(text.slice(offset)) ?? [];
  const line = text.slice(0, offset).split('\n').length;
  return new StatementFault(word === undefined ? fault : `near ${word}, ${fault}`, line);
}
