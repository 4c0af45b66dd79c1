import { readFile, writeFile } from 'node:fs/promises';
import { cpus, loadavg } from 'node:os';
import { measuredFile, type Measured } from '../../operations/size/measured.js';

type Part = keyof Measured;

/** Replaces the part's figures in the file of `npm run size`, and says when and on which machine they were measured. */
export async function keepMeasured<P extends Part>(
  part: P,
  figures: Omit<Measured[P], 'date' | 'machine'>,
): Promise<void> {
  const machine = {
    processors: cpus().length,
    model: cpus()[0]?.model ?? 'unknown',
    node: process.version,
    loadAverage: rounded(loadavg()[0] ?? 0),
  };
  const kept = JSON.parse(await readFile(measuredFile, 'utf8')) as Partial<Measured>;
  const date = new Date().toISOString().slice(0, 10);
  const digits = Object.entries(figures).map(([name, value]) => [
    name,
    typeof value === 'number' ? rounded(value) : value,
  ]);
  const all = { ...kept, [part]: { date, machine, ...Object.fromEntries(digits) } };
  await writeFile(measuredFile, `${JSON.stringify(all, undefined, 2)}\n`);
  console.log(`The figures of ${part} are in ${measuredFile}.`);
}

/** Three digits, as more would be noise; whole numbers stay. */
function rounded(value: number): number {
  return Number.isInteger(value) ? value : Number(value.toPrecision(3));
}
