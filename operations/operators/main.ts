import { runCommandLine } from '../command-line.js';
import { runTool } from '../run-tool.js';
import { operatorsCommands } from './commands.js';

await runTool('operators', (...words) => runCommandLine(operatorsCommands(), ...words));
