import { readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';

/**
 * Distinguishes a process from an earlier one with the same id. A container that was killed gets the same id again and
 * again. Only Linux reports this for other processes.
 */
export function startOf(pid: number): string {
  if (process.platform !== 'linux') return pid === process.pid ? String(Math.round(performance.timeOrigin)) : 'unknown';
  let stat: string;
  try {
    stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  } catch {
    return 'unknown'; // The process ended meanwhile, or is hidden. The caller treats it as alive.
  }
  // See proc(5): the name, in parentheses, may contain any character; state is the first field after it, start time the
  // 20th.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  if (fields[0] === 'Z' || fields[0] === 'X') return 'ended';
  return `${bootId()}-${fields[19]}`;
}

/** @param start as {@link startOf} returned it while the process ran */
export function isRunning(pid: number, start: string | undefined): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    // Any other error (EPERM) means that the process lives and belongs to another user.
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return false;
  }
  const found = startOf(pid);
  return found === 'unknown' || found === start;
}

/** Names this process for {@link hasEnded}: `<place> <pid> <start>`. */
export function processMark(): string {
  return [idSpace(), process.pid, startOf(process.pid)].join(' ');
}

/** Whether the process of this mark has ended; `undefined` for one of another machine or container, which no call reaches. */
export function hasEnded(mark: string): boolean | undefined {
  const [space, pid, start] = mark.split(' ');
  return space === idSpace() ? !isRunning(Number(pid), start) : undefined;
}

/** Where process ids mean what they mean here: one boot of one machine, and one container in it. */
function idSpace(): string {
  if (process.platform !== 'linux') return hostname();
  try {
    return `${bootId()}/${readlinkSync('/proc/self/ns/pid')}`;
  } catch {
    return hostname();
  }
}

function bootId(): string {
  return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
}
