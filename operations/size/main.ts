import { runTool } from '../run-tool.js';
import { sizeCommand } from './command.js';

await runTool('size', sizeCommand);
