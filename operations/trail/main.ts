import { runCommandLine } from '../command-line.js';
import { runTool } from '../run-tool.js';
import { trailCommands } from './commands.js';

await runTool('trail', (...words) => runCommandLine(trailCommands, ...words));
