import pg from 'pg';
import { connectFaultOf } from '../../../../../packages/core-adapter/connect-fault.js';
import { CoreError, isCoreError } from '../../../../../packages/core-adapter/core-error.js';
import { StatementFault } from '../dialect.js';

/** The classes of SQLSTATE for faults of the connection or the server, not of the statement. */
const ofTheServer = /^(08|53|57)/;
/** The server ended the statement, at its time limit. */
const timedOut = '57014';
/** A standby had to drop the rows that the statement read. */
const standbyConflict = '40001';
/** The types of a prepared statement have changed, or it has gone: another connection prepares it again. */
const outOfDate = ['0A000', '26000'];

function stateOf(error: unknown): string | undefined {
  return error instanceof pg.DatabaseError ? (error.code ?? '08') : undefined;
}

/** Whether the session cannot be used again after the driver's error. */
export function endsSession(error: unknown): boolean {
  if (error instanceof StatementFault) return false;
  const state = stateOf(error);
  return state === undefined || outOfDate.includes(state) || (ofTheServer.test(state) && state !== timedOut);
}

/** The fault without the database's words. A {@link StatementFault} stays one. */
export function faultOf(error: unknown): CoreError | StatementFault {
  if (isCoreError(error) || error instanceof StatementFault) return error;
  const state = stateOf(error);
  if (state === timedOut) return new CoreError('timeout', 'the database ended a statement at its time limit');
  if (state === standbyConflict) return new CoreError('unavailable', 'the standby cancelled a statement (40001)');
  if (state === undefined || ofTheServer.test(state)) return unreachable(error);
  if (outOfDate.includes(state)) return new CoreError('unavailable', `a statement has to be prepared again (${state})`);
  return new CoreError('bad-record', `the database refused a statement (${state})`);
}

/** The database answers, and refuses the gateway, by SQLSTATE. */
const refusals: Readonly<Record<string, string>> = {
  '28000': 'the database refuses the login: correct CORE_USERNAME, CORE_PASSWORD or the client certificate',
  '28P01': 'the database refuses the login: correct CORE_USERNAME and CORE_PASSWORD',
  '3D000': 'the server has no database of this name: correct the path of CORE_URL',
  '42501': 'the database user may not connect to the database: grant CONNECT',
};

/** A refused connection, for a wrong password too, is a fault of the bank and no wrong answer of its core. */
export function unreachable(error: unknown): CoreError {
  const { code = 'no code' } = error as { code?: string };
  const refusal = Object.hasOwn(refusals, code) ? refusals[code] : undefined;
  if (refusal !== undefined) return new CoreError('unavailable', `${refusal} (${code})`, undefined, 'settings');
  return new CoreError('unavailable', `the database is unreachable (${code})`, undefined, connectFaultOf(code));
}

const meanings: Readonly<Record<string, string>> = {
  '42501': 'the database user of the gateway may not read it',
  '42601': 'the database does not understand it',
  '42702': 'two of its columns have the same name',
  '42703': 'a column does not exist',
  '42P01': 'a table does not exist',
  '42883': 'it compares or computes with types that do not fit',
  '42804': 'it compares or computes with types that do not fit',
  '42P18': 'the type of a parameter is unknown: cast it',
  '22P02': 'a code is not a value of the type of its column',
};

/**
 * Why the database refuses a statement of the bank's file. Nothing of its message is repeated but the place in the file.
 * @param text that was sent, where the database names a place in it
 * @param begin where the statement begins in the text
 */
export function statementFault(error: unknown, text = '', begin = 0): unknown {
  const state = stateOf(error);
  if (state === undefined || ofTheServer.test(state)) return error;
  const fault = `${meanings[state] ?? 'the database refuses it'} (SQLSTATE ${state})`;
  const index = Number((error as pg.DatabaseError).position) - 1;
  if (text === '' || Number.isNaN(index)) return new StatementFault(fault);
  const [word] = /^[\w."]{1,80}/.exec(text.slice(index)) ?? [];
  const line = text.slice(begin, index).split('\n').length;
  return new StatementFault(word === undefined ? fault : `near ${word}, ${fault}`, line);
}
