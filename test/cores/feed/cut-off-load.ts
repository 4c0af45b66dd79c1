import { loadDelivery } from '../../../src/core-banking/adapters/feed/delivery.loader.js';

// Takes the delivery that it is given, and dies when it has read and checked all files: the replica is half made.
const [, , delivery = ''] = process.argv;
const variables = process.env as Record<string, string>;
await loadDelivery(
  { url: variables['CORE_URL'] ?? '', connections: 1, variables },
  delivery,
  {
    file: () => {},
    rows: () => {},
    step: (name) => {
      if (name === 'sorting') process.kill(process.pid, 'SIGKILL');
    },
    end: () => {},
  },
  Number.POSITIVE_INFINITY,
);
