// `npm run --silent sandbox -- …`: the sandbox command line, of whatever build is there.
import { runBuilt } from './run.mjs';

await runBuilt('sandbox', 'sandbox/cli/main.js');
