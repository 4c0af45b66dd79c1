// `npm run --silent adapter -- …`: the tools for whoever adds a core, of what is written now.
import './build.mjs';
import { runNode } from './run.mjs';

runNode(['dist/src/adapter-tools/main.js', ...process.argv.slice(2)]);
