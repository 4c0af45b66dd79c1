import './boot/no-debugger.js';
import { faultOfNode } from './boot/supported-node.js';

// Before anything else is loaded: an older Node cannot even read it.
const fault = faultOfNode(process);
if (fault !== undefined) {
  process.stderr.write(`gateway: ${fault}\n`);
  process.exit(1);
}
const { default: cluster } = await import('node:cluster');
const { wantedWorkers } = await import('./config/workers.js');
const workers = cluster.isPrimary ? wantedWorkers() : 1;
if (workers > 1) (await import('./boot/workers/workers.js')).runWorkers(workers);
else (await import('./boot/process.js')).runGateway();
