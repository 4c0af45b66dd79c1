import { connectFaultOf } from '../../../../../packages/core-adapter/connect-fault.js';
import { CoreError } from '../../../../../packages/core-adapter/core-error.js';
import type { Faults } from '../connections.js';
import { StatementFault } from '../dialect.js';

/** An error of the driver; `number` and `class` are the server's. */
interface DriverError {
  readonly code?: string;
  readonly number?: number;
  readonly class?: number;
}

/** From this class on, an error is one of the server's resources, not of the statement. */
const firstOfTheServer = 17;
/** A deadlock, a conflict of versions, a limit of Azure, a database that moves or stops: the next attempt may succeed. */
const passing: ReadonlySet<number> = new Set([1205, 1222, 3960, 3961, 6005, 10928, 10929, 40197, 40501, 40613, 49918]);

/** Where one statement causes several errors, the first is the cause. */
function firstOf(error: unknown): DriverError {
  return (error instanceof AggregateError ? error.errors[0] : error) as DriverError;
}

function isOfTheStatement({ number, class: severity = 0 }: DriverError): number | undefined {
  return number === undefined || severity >= firstOfTheServer || passing.has(number) ? undefined : number;
}

/** After an error of a statement, and after a confirmed cancellation, the session is as before. */
function endsSession(error: unknown): boolean {
  if (error instanceof StatementFault) return false;
  const { code, number, class: severity = 0 } = firstOf(error);
  return code === 'ECANCEL' ? false : number === undefined || severity > firstOfTheServer;
}

function faultOf(error: unknown): CoreError | StatementFault {
  if (error instanceof CoreError || error instanceof StatementFault) return error;
  const first = firstOf(error);
  // Only the limit of a statement cancels one whose caller still waits.
  if (first.code === 'ECANCEL') return new CoreError('timeout', 'the database ended a statement at its time limit');
  if (first.number === undefined) return unreachable(error);
  const number = isOfTheStatement(first);
  return number === undefined
    ? new CoreError('unavailable', `the database gave a statement up (${first.number})`)
    : new CoreError('bad-record', `the database refused a statement (${number})`);
}

function unreachable(error: unknown): CoreError {
  const { number, code = 'no code' } = firstOf(error);
  return new CoreError(
    'unavailable',
    `the database cannot be reached (${number ?? code})`,
    undefined,
    connectFaultOf(code),
  );
}

export const sqlServerFaults: Faults = { endsSession, faultOf, unreachable };

const meanings: Readonly<Record<number, string>> = {
  102: 'the database does not understand it',
  156: 'the database does not understand it',
  206: 'it compares or computes with types that do not fit',
  207: 'a column does not exist',
  208: 'a table does not exist',
  229: 'the database user of the gateway may not read it',
  230: 'the database user of the gateway may not read it',
  402: 'it compares or computes with types that do not fit',
  1033: 'ORDER BY needs TOP or OFFSET, because the adapter uses the query as a table',
  4104: 'a column does not exist',
  8155: 'a column has no name',
  8156: 'two of its columns have the same name',
  11506: 'the type of a parameter is unknown: cast it',
  11507: 'the type of a parameter is unknown: cast it',
};

/** Why the database refuses a statement of the bank's file. Nothing of its message is repeated. */
export function statementFault(error: unknown): unknown {
  const number = isOfTheStatement(firstOf(error));
  if (number === undefined) return error;
  return new StatementFault(`${meanings[number] ?? 'the database refuses it'} (error ${number})`);
}
