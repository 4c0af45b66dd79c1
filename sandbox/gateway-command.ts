import { fileURLToPath } from 'node:url';

/**
 * How the built gateway is started, after `node`; `npm run start:gateway` and the image say the same.
 *
 * The option cannot be set once the process runs, and is worth a twentieth of a page of transactions. Twice the default
 * young generation is swept half as often, and a sweep costs what is under way at the time, however large it is.
 */
export const gatewayCommand = {
  nodeOptions: ['--max-semi-space-size=32'],
  modulePath: fileURLToPath(new URL('../gateway/main.js', import.meta.url)),
} as const;

/** The same for the sandbox: of the same sources and with the same options, but with a bank whose time can be moved on. */
export const sandboxGatewayCommand = {
  ...gatewayCommand,
  modulePath: fileURLToPath(new URL('../sandbox-gateway/main.js', import.meta.url)),
} as const;

/** For development: Nest's command line compiles each edited file and starts the gateway anew, without the bundle. */
export const watchedGatewayCommand = {
  modulePath: fileURLToPath(new URL('../../node_modules/@nestjs/cli/bin/nest.js', import.meta.url)),
  words: ['start', '--watch', '--preserveWatchOutput', '--no-shell'],
} as const;
