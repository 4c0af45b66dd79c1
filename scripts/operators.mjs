// `npm run --silent tpps -- …`, `keys` and `recover`: the operators' commands, of whatever build is there.
import { runBuilt } from './run.mjs';

await runBuilt('gateway', 'gateway/commands.js');
