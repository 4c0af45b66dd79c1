import { runCommandLine } from '../command-line.js';
import { runTool } from '../run-tool.js';
import { casesCommands } from './commands.js';

await runTool('cases', (...words) => runCommandLine(casesCommands(), ...words));
