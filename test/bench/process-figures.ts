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
  // The name of the program, which comes second and in parentheses, may hold blanks and parentheses itself.
  const fromState = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const ticks = Number(fromState[11]) + Number(fromState[12]);
  if (!Number.isInteger(ticks)) throw new Error('the stat line of the process has no times');
  return ticks * tickMs;
}
