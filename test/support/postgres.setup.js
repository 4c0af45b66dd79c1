// Runs once, before the workers start.
import { giveTemporaryFolder } from './temporary-folder.js';

export default function setup() {
  if (!process.env.DATABASE_URL)
    throw new Error(
      'DATABASE_URL is not set. Set it to a PostgreSQL where its user may create databases, ' +
        'e.g. postgresql://localhost/postgres, or put scripts/with-postgres.sh in front of the command',
    );
  // A gateway, a command or a tool that a test starts must not find it.
  process.env.TEST_POSTGRES_URL = process.env.DATABASE_URL;
  delete process.env.DATABASE_URL;
  giveTemporaryFolder();
}
