import { startedByNpm } from '../config/starter.js';

/** How often the gateway checks that npm still runs. */
const lookForStarterMs = 500;

const starter = process.ppid;

/**
 * Calls `stop` once, at the first signal to stop or when the process that started this one has gone.
 * @returns the same for any other reason to stop
 */
export function onStop(stop: () => void): () => void {
  let stopping = false;
  const once = (): void => {
    // A terminal's Ctrl-C and a parent's SIGTERM may both arrive: the second cuts nothing off.
    if (stopping) return;
    stopping = true;
    stop();
  };
  process.on('SIGTERM', once);
  process.on('SIGINT', once);
  // The process that started the gateway has ended, and cannot stop it any more.
  process.on('disconnect', once);
  // npm exits on SIGHUP without forwarding it. The gateway would then run on without a parent and keep its ports.
  if (startedByNpm()) setInterval(() => process.ppid !== starter && once(), lookForStarterMs).unref();
  return once;
}
