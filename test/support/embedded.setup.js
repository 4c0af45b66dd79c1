// Runs once, before the workers start, which inherit this process's environment.
import '../../scripts/generate.mjs';
import { giveTemporaryFolder } from './temporary-folder.js';

export default function setup() {
  giveTemporaryFolder();
  // It is meant for a gateway: the tests would write into that database.
  delete process.env.DATABASE_URL;
}
