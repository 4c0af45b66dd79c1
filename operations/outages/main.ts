import { runCommandLine } from '../command-line.js';
import { runTool } from '../run-tool.js';
import { outageCommands } from './commands.js';

await runTool('outages', (...words) => runCommandLine(outageCommands(), ...words));
