// Runs once, before the workers start.
import { generateClient } from './generate-client.js';
import { giveTemporaryFolder } from './temporary-folder.js';

export default function setup() {
  generateClient();
  if (!process.env.DATABASE_URL)
    throw new Error(
      'DATABASE_URL is not set. Set it to a PostgreSQL database that the tests may change, ' +
        'e.g. postgresql://localhost/gateway_test, or put scripts/with-postgres.sh in front of the command',
    );
  giveTemporaryFolder();
}
