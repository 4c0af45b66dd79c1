import { ToolError } from './tool-error.js';

export function refuseBadName(name: string): void {
  if (!/^[a-z][a-z0-9]*(-[a-z0-9]+)*$/.test(name))
    throw new ToolError(`"${name}" is no name for an adapter: lower-case letters, digits and dashes, e.g. my-core`);
}

export function classNameOf(name: string): string {
  return name.replace(/(?:^|-)([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
}

/** A file of the template as the adapter's own. */
export function named(text: string, name: string): string {
  return text.replaceAll('Template', classNameOf(name)).replaceAll('template', name);
}
