import type { FastifyBaseLogger } from 'fastify';
import { BootError } from './config/boot-error.js';
import { loadConfig } from './config/load-config.js';
import type { Gateway } from './gateway.js';
import { faultRecord } from './observability/fault-record.js';

/** Reads settings, certificates, issuers and credentials again: all of it is put to use, or nothing, with one line of why. */
async function renew(gateway: Gateway, log: FastifyBaseLogger, attempt: number): Promise<void> {
  try {
    await gateway.renew(loadConfig());
    log.info('certificates, issuers and credentials were read again and are in use');
  } catch (error) {
    const fault = error instanceof BootError ? { fault: error.message } : faultRecord(error);
    // Counted, so that the answer to a second SIGHUP is no repetition of the first one's.
    log.error({ ...fault, attempt }, 'SIGHUP changed nothing: what was in use stays in use');
  }
}

/** From the start of the process: SIGHUP would end it, and one that comes before the gateway is ready is kept until then. */
export function renewOnSighup(): (gateway: Gateway, log: FastifyBaseLogger) => void {
  let asked = false;
  let act = (): void => {
    asked = true;
  };
  process.on('SIGHUP', () => act());
  return (gateway, log) => {
    // One after the other, so that none takes over what an earlier one has read.
    let last = Promise.resolve();
    let attempts = 0;
    act = () => {
      const attempt = ++attempts;
      last = last.then(() => renew(gateway, log, attempt));
    };
    if (asked) act();
  };
}
