import { SystemClock } from '../../src/clock/clock.js';
import { runCommandLine } from '../command-line.js';
import { runTool } from '../run-tool.js';
import { reportCommands } from './commands.js';

await runTool('report', (...words) => runCommandLine(reportCommands(new SystemClock()), ...words));
