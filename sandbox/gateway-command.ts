import { fileURLToPath } from 'node:url';

/**
 * How the built gateway is started, after `node`; `npm run start:gateway` and the image say the same.
 *
 * V8 takes the size of the young generation from the machine's memory, and it cannot be set once the process runs. In a
 * container of 512 MB it would be so small that pages of transactions took twice as long. With half of this, collections
 * would make the p99 of checks of funds a sixth longer.
 */
export const gatewayCommand = {
  nodeOptions: ['--max-semi-space-size=64'],
  modulePath: fileURLToPath(new URL('../gateway/main.js', import.meta.url)),
} as const;

/** The same sources and options for the sandbox, with a bank whose time can be moved on. */
export const sandboxGatewayCommand = {
  ...gatewayCommand,
  modulePath: fileURLToPath(new URL('../sandbox-gateway/main.js', import.meta.url)),
} as const;

/** For development: Nest's command line compiles each edited file and restarts the gateway, without the bundle. */
export const watchedGatewayCommand = {
  modulePath: fileURLToPath(new URL('../../node_modules/@nestjs/cli/bin/nest.js', import.meta.url)),
  words: ['start', '--watch', '--preserveWatchOutput', '--no-shell'],
} as const;
