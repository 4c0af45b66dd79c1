// `npm start`: transpiles what has changed, then becomes the start of the whole stack.
//
// It is one process, and package.json puts it in the shell's place with `exec`: a shell in between would keep npm's SIGTERM
// and SIGINT from the stack, leave it running, and report Ctrl-C as a failure. The shell of Windows has no `exec`, says so,
// and runs the second half of that line. Ctrl-C arrives twice, from the terminal and from npm.
import './supported-node.mjs';
import { buildForStart, isStartable } from './build.mjs';

if (!isStartable()) {
  await (await import('./check-start.mjs')).checkStart();
  await buildForStart();
}
await import('../dist/sandbox/start.js');
