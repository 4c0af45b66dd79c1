import { describe, expect, it } from '@jest/globals';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { cpuMilliseconds, familyCpuMilliseconds, parentOf, peakMegabytes } from './process-figures.js';

describe('the figures of a process on Linux', () => {
  const after = 'S 1 2 3 0 -1 4194560 10 0 0 0 250 31 7 9 20 0 11 0 12345 1000000 2000';

  it('include its time in user code and in the kernel, without its children', () => {
    expect(cpuMilliseconds(`4711 (node) ${after}`)).toBe(2810);
  });

  it('include the process that started it', () => {
    expect(parentOf(`4711 (a) S 9 (b) ${after}`)).toBe(1);
  });

  (process.platform === 'linux' ? it : it.skip)('include its children, those that have ended as well', async () => {
    const before = familyCpuMilliseconds(process.pid);
    const own = cpuMilliseconds(readFileSync('/proc/self/stat', 'utf8'));
    const child = spawn(process.execPath, ['-e', 'for (const end = Date.now() + 200; Date.now() < end; );']);
    await once(child, 'close');
    const ofChild = familyCpuMilliseconds(process.pid) - before;
    expect(ofChild).toBeGreaterThan(cpuMilliseconds(readFileSync('/proc/self/stat', 'utf8')) - own);
  });

  it('are read correctly after a name with blanks and parentheses', () => {
    expect(cpuMilliseconds(`4711 (a) S 9 (b) ${after}`)).toBe(2810);
  });

  it('include its highest resident memory', () => {
    expect(peakMegabytes('Name:\tnode\nVmPeak:\t  900000 kB\nVmHWM:\t  204800 kB\nVmRSS:\t  102400 kB\n')).toBe(200);
  });

  it.each(['', '4711 (node) Z'])('are refused in another format: "%s"', (text) => {
    expect(() => cpuMilliseconds(text)).toThrow('no times');
    expect(() => peakMegabytes(text)).toThrow('no VmHWM');
  });
});
