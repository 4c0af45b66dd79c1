// Runs once, before the workers start, which inherit this process's environment.
import { generateClient } from './generate-client.js';
import { giveTemporaryFolder } from './temporary-folder.js';

export default function setup() {
  generateClient();
  giveTemporaryFolder();
  // It is meant for a gateway: the tests would write into that database.
  delete process.env.DATABASE_URL;
}
