import { runCommandLine } from '../command-line.js';
import { runTool } from '../run-tool.js';
import { changeCommands } from './commands.js';

await runTool('changes', (...words) => runCommandLine(changeCommands(), ...words));
