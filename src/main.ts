import './boot/no-debugger.js';
import { faultOfNode } from './boot/supported-node.js';

// Before anything else is loaded: an older Node cannot even read it.
const fault = faultOfNode(process);
if (fault !== undefined) {
  process.stderr.write(`gateway: ${fault}\n`);
  process.exit(1);
}
const { runGateway } = await import('./boot/process.js');
runGateway();
