import { fileURLToPath } from 'node:url';

/**
 * How the built gateway is started, after `node`; `npm run start:gateway` and the image say the same.
 *
 * Neither option can be set once the process runs, and each is worth a twentieth of a page of transactions. With twice
 * the default young generation, half as many requests are under way each time that it is swept, and what is under way is
 * what the sweep costs. In large pages, where the system has them, Node's own code is found without a search.
 */
export const gatewayCommand = {
  nodeOptions: ['--max-semi-space-size=32', '--use-largepages=silent'],
  modulePath: fileURLToPath(new URL('../gateway/main.js', import.meta.url)),
} as const;
