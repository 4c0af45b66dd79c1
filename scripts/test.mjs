// `npm test`: every suite, on the embedded database. `npm run test:postgres`: the store and end-to-end suites again, on
// the PostgreSQL that DATABASE_URL names. `npm run test:operations`: real processes beside Debian's servers, on that same
// PostgreSQL or on servers of their own. What follows on the command line goes to Jest.
import './generate.mjs';
import { runNode } from './run.mjs';
import { bundle } from './suites.mjs';

/** What needs no server: test/operations starts stacks of processes, takes minutes and wants the machine for itself. */
const EVERYWHERE = /^(?!test[/\\]operations[/\\])/;
/** Whatever works on a database: all of test/ but the suites that read sources or look at pages, and the stores' own specs. */
const STATEFUL = [/^test[/\\](?!architecture|bench|customer-pages|operations|support)/, /\.store\.spec\.ts$/];

const [target, ...jestArguments] = process.argv.slice(2);
const { DATABASE_URL: databaseUrl, ...environment } = process.env;
// Whoever names files gets them as they are.
const named = jestArguments.some((argument) => /^[^-].*[./\\]/.test(argument));
// Several workers keep every processor busy: helpers of the collector's would only get in their way. Hardly any code
// runs long enough here to be worth the optimising compiler's time: it is asked nine times later, for 8 % less work.
const engine = ['--single-threaded-gc', '--max-semi-space-size=64', '--interrupt-budget=600000'];
const modules = ['--experimental-vm-modules', '--disable-warning=ExperimentalWarning'];
const jest = [...modules, ...engine, 'node_modules/jest/bin/jest.js'];

if (target !== 'all') {
  if (!databaseUrl) {
    console.error(
      `test:${target}: DATABASE_URL is not set. Set it to a PostgreSQL database that the tests may change, ` +
        `e.g. postgresql://localhost/gateway_test, or run scripts/with-postgres.sh npm run test:${target}`,
    );
    process.exit(1);
  }
  // In one process, also those that are named: each begins with the build, and two at once would spoil it for each other.
  const inTurn = target === 'operations' ? ['--runInBand'] : [];
  const files = target === 'operations' ? ['--testMatch', '<rootDir>/test/operations/*.spec.ts'] : bundle(STATEFUL);
  runNode([...jest, ...inTurn, ...jestArguments, ...(named ? [] : files)], process.env);
} else {
  // Left in place, a DATABASE_URL meant for a gateway would have the tests write into that database.
  runNode([...jest, ...jestArguments, ...(named ? [] : bundle([EVERYWHERE]))], environment);
}
