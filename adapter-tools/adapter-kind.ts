import { CommandFailed } from '../src/command-line/command.js';

/** The name of packages/package.json: the ports and their kits, as a separate repository installs them. */
export const portPackage = 'account-information-core-adapter';

export function refuseBadName(name: string): void {
  if (!/^[a-z][a-z0-9]*(-[a-z0-9]+)*$/.test(name))
    throw new CommandFailed(
      `"${name}" is not a name for an adapter: lower-case letters, digits and dashes, e.g. my-core`,
    );
}

function classNameOf(name: string): string {
  return name.replace(/(?:^|-)([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
}

/** The adapter of a core, or of the bank's sign-on. */
export interface AdapterKind {
  readonly template: string;
  /** Where its files are in this repository: those of the adapter, and those of its kit. */
  readonly folders: { readonly adapters: string; readonly kits: string };
  /** The port and the kit, as files of this repository. */
  readonly here: { readonly port: string; readonly kit: string };
  /** The port and the kit, as exports of the port's package. */
  readonly published: { readonly port: string; readonly kit: string };
  /** How a test file calls the kit. */
  readonly describe: { readonly name: string; readonly isAsync: boolean };
  /** The kit's function that prints the clauses. */
  readonly check: string;
}

export const coreKind: AdapterKind = {
  template: 'adapter-tools/template',
  folders: { adapters: 'src/core-banking/adapters', kits: 'test/cores' },
  here: { port: 'packages/core-adapter/published-port.js', kit: 'packages/adapter-kit/adapter-kit.js' },
  published: { port: portPackage, kit: `${portPackage}/kit` },
  describe: { name: 'describeCoreAdapter', isAsync: true },
  check: 'printCoreAdapterCheck',
};
export const signOnKind: AdapterKind = {
  template: 'adapter-tools/sign-on-template',
  folders: { adapters: 'src/customer-authentication/adapters', kits: 'test/sign-ons' },
  here: {
    port: 'packages/customer-authentication/published-port.js',
    kit: 'packages/adapter-kit/sign-on/sign-on-kit.js',
  },
  published: { port: `${portPackage}/sign-on`, kit: `${portPackage}/sign-on/kit` },
  describe: { name: 'describeCustomerAuthentication', isAsync: false },
  check: 'printCustomerAuthenticationCheck',
};

/** The modules that the template's files import from elsewhere, as they are named in one place. */
export interface Imports {
  readonly port: string;
  readonly kit: string;
  /** The template's adapter, for its kit. */
  readonly adapter: string;
}

/** A file of the template as the adapter's own. */
export function ownFile(text: string, name: string, { here }: AdapterKind, { port, kit, adapter }: Imports): string {
  return text
    .replaceAll(`'../../${here.port}'`, `'${port}'`)
    .replaceAll(`'../../${here.kit}'`, `'${kit}'`)
    .replaceAll("'./template.adapter.js'", `'${adapter}'`)
    .replaceAll('Template', classNameOf(name))
    .replaceAll('template', name);
}
