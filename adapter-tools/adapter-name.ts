import { ToolError } from './tool-error.js';

export function refuseBadName(name: string): void {
  if (!/^[a-z][a-z0-9]*(-[a-z0-9]+)*$/.test(name))
    throw new ToolError(`"${name}" is no name for an adapter: lower-case letters, digits and dashes, e.g. my-core`);
}

function classNameOf(name: string): string {
  return name.replace(/(?:^|-)([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
}

/** The modules that the template's files import from elsewhere, as they are named in one place. */
export interface Imports {
  readonly port: string;
  readonly kit: string;
  /** The template's adapter, for its kit. */
  readonly adapter: string;
}

/** A file of the template as the adapter's own. */
export function ownFile(text: string, name: string, { port, kit, adapter }: Imports): string {
  return text
    .replaceAll("'../../packages/core-adapter/published-port.js'", `'${port}'`)
    .replaceAll("'../../packages/adapter-kit/adapter-kit.js'", `'${kit}'`)
    .replaceAll("'../../packages/customer-authentication/published-port.js'", `'${port}'`)
    .replaceAll("'../../packages/adapter-kit/sign-on/sign-on-kit.js'", `'${kit}'`)
    .replaceAll("'./template.adapter.js'", `'${adapter}'`)
    .replaceAll('Template', classNameOf(name))
    .replaceAll('template', name);
}
