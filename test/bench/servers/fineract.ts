import { SystemClock } from '../../../src/clock/clock.js';
import { FineractStub } from '../../cores/fineract/fineract-stub.js';
import { loadPersonas } from '../../cores/fineract/load-personas.js';
import { largeBank } from '../large-bank.js';

/** The same people as in the large ledger. */
const clock = new SystemClock();
const model = loadPersonas(largeBank(clock.nowMs()));
const stub = await FineractStub.start({ model, clock, port: Number(process.env.PORT) });
stub.intercept = (_request, response, { pathname }) => {
  // Kept for tests; here it would grow with every request.
  stub.calls.length = 0;
  if (pathname !== '/health/ready') return 'not handled';
  response.end();
  return 'handled';
};

process.once('disconnect', () => process.exit(0));
process.once('SIGTERM', () => process.exit(0));
