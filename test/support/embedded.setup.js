// Runs once, before the workers start, which inherit this process's environment.
import { giveTemporaryFolder } from './temporary-folder.js';

export default function setup() {
  if (!process.env.OBIE_SPECS)
    console.log(
      'NOT compared: the answers with the OpenAPI files of the standard. Set OBIE_SPECS to the folder of these files. ' +
        'The tests that need them are counted as skipped.',
    );
  giveTemporaryFolder();
  // It is meant for a gateway: the tests would write into that database.
  delete process.env.DATABASE_URL;
}
