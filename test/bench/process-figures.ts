import { readFileSync } from 'node:fs';

/** Linux tells times to programs in hundredths of a second, whatever its own clock does (USER_HZ). */
const tickMs = 10;

/** VmHWM of `/proc/<pid>/status`: the most that was resident at any time. */
export function peakMegabytes(status: string): number {
  const [, kilobytes] = /^VmHWM:\s+(\d+) kB$/m.exec(status) ?? [];
  if (kilobytes === undefined) throw new Error('the status of the process has no VmHWM');
  return Number(kilobytes) / 1024;
}

/** utime and stime of `/proc/<pid>/stat` (proc(5)): of all threads of the process, not of its children. */
export function cpuMilliseconds(stat: string): number {
  return ticksOf(stat, 11, 12) * tickMs;
}

/** The times of the process, of its children that have ended, and of those that run now. */
export function familyCpuMilliseconds(pid: number): number {
  const statOf = (process: number | string): string => readFileSync(`/proc/${process}/stat`, 'utf8');
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').match(/\d+/g) ?? [];
  const family = ticksOf(statOf(pid), 11, 12, 13, 14) * tickMs;
  return children.reduce((sum, child) => sum + cpuMilliseconds(statOf(child)), family);
}

export function parentOf(stat: string): number {
  return ticksOf(stat, 1);
}

/** The sum of these fields, counted from the state, which is the first. */
function ticksOf(stat: string, ...fields: readonly number[]): number {
  // The name of the program, which comes second and in parentheses, may hold blanks and parentheses itself.
  const fromState = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const sum = fields.reduce((all, field) => all + Number(fromState[field]), 0);
  if (!Number.isInteger(sum)) throw new Error('the stat line of the process has no times');
  return sum;
}
