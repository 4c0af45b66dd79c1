import { BootError } from '../config/boot-error.js';
import { DatabaseUnreachable, UnusableServer, type Target } from './postgres-connections.js';

const addressOf = ({ host, port }: Target): string => (host.startsWith('/') ? host : `${host}:${port}`);

/** One line with the reason why the gateway cannot start on this server, and the remedy. */
export function refusal(error: unknown, target: Target): BootError {
  if (error instanceof BootError) return error;
  return new BootError(lineOf(error as Error, target), { cause: error });
}

function lineOf(error: Error, target: Target): string {
  const { host, user, database } = target;
  const code = codeOf(error);
  const postgres = `PostgreSQL at ${addressOf(target)}`;
  if (error instanceof UnusableServer) return unusable(error, postgres);
  // A pooler answers 08P01 to a parameter that it does not pass on.
  if (code === '08P01' && error.message.includes('startup parameter'))
    return (
      `A connection pooler answers at ${addressOf(target)} that refuses the options of the gateway’s sessions: set there ` +
      'ignore_startup_parameters = options (docs/operate/database.md has the other conditions of a pooler).'
    );
  switch (code) {
    case 'ECONNREFUSED':
    case 'ENOENT':
      return `No PostgreSQL answers at ${addressOf(target)}: start it or correct DATABASE_URL.`;
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return `The host ${host} of DATABASE_URL is unknown: correct DATABASE_URL or the name service.`;
    case '28P01':
    case '28000':
      return `${postgres} refuses the user ${user} (${reasonOf(error)}): correct the user or password in DATABASE_URL.`;
    case '3D000':
      return `${postgres} has no database ${database}: create it or correct DATABASE_URL.`;
    case '42501':
      return (
        `${postgres} does not give the user of DATABASE_URL a right that the gateway needs: run \`npm run ops -- migrate\` as the owner of the schema, and after it ` +
        'deploy/postgresql/roles.sql (docs/operate/database.md, "Migrations and roles").'
      );
    case '25006':
      return `${postgres} is read-only: make it writable or correct DATABASE_URL.`;
    default:
      return `${postgres} cannot be used (${reasonOf(error)}): repair it or correct DATABASE_URL.`;
  }
}

function codeOf(error: Error): string | undefined {
  const { code } = (error instanceof DatabaseUnreachable ? error.cause : error) as { readonly code?: string };
  return code;
}

/** The code alone: the log never has the database's own words. */
function reasonOf(error: Error): string {
  const code = codeOf(error);
  if (code === 'ETIMEDOUT') return 'it gave no answer before the timeout';
  if (error instanceof DatabaseUnreachable)
    return code ?? 'it ended the connection: is it a PostgreSQL, with TLS where sslmode asks for it?';
  return code === undefined ? error.name : `SQLSTATE ${code}`;
}

function unusable({ why, schema }: UnusableServer, postgres: string): string {
  switch (why) {
    case 'standby':
      return `${postgres} is a standby, which cannot be written: name in DATABASE_URL the one address that leads to the primary.`;
    case 'no-schema':
      return `${postgres} has no schema ${schema}: create it or correct schema in DATABASE_URL.`;
    case 'search-path':
      return (
        `${postgres} does not take the schema ${schema} as the first of its search path, as a connection pooler does that ignores ` +
        `the gateway’s options, or where the user may not use it: run ALTER ROLE … SET search_path = ${schema}, or GRANT USAGE on it.`
      );
  }
}
