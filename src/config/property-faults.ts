import { validateSync, type ValidationError } from 'class-validator';

/**
 * One line for each property at fault, with its path and never with its value. A property that the class does not have is
 * at fault.
 */
export function propertyFaults(object: object): string[] {
  return validateSync(object, { whitelist: true, forbidNonWhitelisted: true }).flatMap((fault) => lines('', fault));
}

/** The library begins its messages with the bare name, or with a longer path. */
function lines(path: string, { property, constraints, children }: ValidationError): string[] {
  const [fault] = Object.entries(constraints ?? {});
  const own =
    fault?.[0] === 'whitelistValidation' ? 'is not a setting' : fault?.[1].replace(/^.*?\b(?=must|should)/, '');
  return [
    ...(own === undefined ? [] : [`${path}${property} ${own}`]),
    ...(children ?? []).flatMap((child) => lines(`${path}${property}.`, child)),
  ];
}
