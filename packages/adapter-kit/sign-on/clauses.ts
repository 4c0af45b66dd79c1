import type { Clause } from '../clauses.js';

/**
 * The promises of an adapter of the bank's sign-on, clause by clause: the ids and sentences of the kit's tests and of
 * `docs/bank/clauses.md`. An id never changes its meaning; a new clause takes the next number.
 */
export const signOnClauses = [
  clause('SIGN-01', 'each setting that is missing or wrong is refused by its name, without its value', 'with-reason'),
  clause('SIGN-02', 'the right customer is authenticated, at the right time, with method and class', 'never'),
  clause('SIGN-03', 'a wrong password and an unknown login name look alike, and never authenticate', 'with-reason'),
  clause('SIGN-04', 'a wrong code is refused as wrong, and can be corrected', 'with-reason'),
  clause('SIGN-05', 'another code makes the previous one invalid', 'with-reason'),
  clause('SIGN-06', 'a customer who refuses, in the app or on the bank’s own sign-on, is declined', 'with-reason'),
  clause('SIGN-07', 'a customer who is locked out learns it after both factors, with the bank’s page', 'with-reason'),
  clause('SIGN-08', 'an input authenticates the customer once', 'never'),
  clause('SIGN-09', 'an input does not answer the step of another authentication', 'never'),
  clause(
    'SIGN-10',
    'a sign-on that is unreachable, late or answers nonsense is unavailable, and never a refusal',
    'never',
  ),
  clause('SIGN-11', 'no fault repeats a login name, a password, a code, a secret or the sign-on’s words', 'never'),
  clause('SIGN-12', 'two authentications at once do not mix', 'never'),
  clause('SIGN-13', 'the signal ends every call at once', 'never'),
  clause('SIGN-14', 'an authentication whose time has ended is expired', 'with-reason'),
  clause('SIGN-15', 'no login name, password, code or secret is written to the log or the output', 'never'),
  clause('SIGN-16', 'a weaker authentication never gets the class that was asked for', 'with-reason'),
  clause(
    'SIGN-17',
    'a return with another state, or the code of another authentication, authenticates no customer',
    'with-reason',
  ),
  clause('SIGN-18', 'closing leaves no connection and no timer', 'never'),
  clause('SIGN-19', 'the bank’s app shows the TPP that asks, and the data', 'with-reason'),
  clause('SIGN-20', 'the browser’s address and device cookie reach the sign-on', 'with-reason'),
] as const;

export type SignOnClauseId = (typeof signOnClauses)[number]['id'];
export type SignOnClause = Clause<SignOnClauseId>;

function clause<const Id extends string>(id: Id, sentence: string, also: 'never' | 'with-reason'): Clause<Id> {
  return { id, sentence, reads: [], also };
}
