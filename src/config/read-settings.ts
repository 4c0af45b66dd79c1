import { plainToInstance } from 'class-transformer';
import { validateSync } from 'class-validator';

/** The settings of a class from their texts, checked. Adds a line to `faults` for each wrong one. */
export function readSettings<T extends object>(
  kind: new () => T,
  given: Readonly<Record<string, string>>,
  faults: string[],
): T {
  const settings = plainToInstance(kind, given, { excludeExtraneousValues: true, exposeDefaultValues: true });
  for (const { constraints = {} } of validateSync(settings)) {
    // Report a value that is not a number as such, not as too large.
    const { isInt = Object.values(constraints)[0] } = constraints;
    if (isInt !== undefined) faults.push(isInt);
  }
  return settings;
}
