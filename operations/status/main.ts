import { runTool } from '../run-tool.js';
import { statusCommand } from './command.js';

await runTool('status', statusCommand);
