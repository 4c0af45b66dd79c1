import { fileURLToPath } from 'node:url';

/** How the built gateway is started, after `node`; `npm run start:gateway` and the image say the same. */
export const gatewayCommand = {
  modulePath: fileURLToPath(new URL('../gateway/main.js', import.meta.url)),
} as const;

/** The same for the sandbox: of the same sources, but with a bank whose time can be moved on. */
export const sandboxGatewayCommand = {
  modulePath: fileURLToPath(new URL('../sandbox-gateway/main.js', import.meta.url)),
} as const;

/** For development: Nest's command line compiles each edited file and starts the gateway anew, without the bundle. */
export const watchedGatewayCommand = {
  modulePath: fileURLToPath(new URL('../../node_modules/@nestjs/cli/bin/nest.js', import.meta.url)),
  words: ['start', '--watch', '--preserveWatchOutput', '--no-shell'],
} as const;
