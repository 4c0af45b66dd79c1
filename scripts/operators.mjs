// `npm run --silent tpps -- …` and `npm run --silent keys -- …`: the operators' commands, of whatever build is there.
import { runBuilt } from './run.mjs';

await runBuilt('gateway', 'gateway/commands.js');
