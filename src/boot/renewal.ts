import type { FastifyBaseLogger } from 'fastify';
import { BootError } from '../config/boot-error.js';
import { faultRecord } from '../observability/fault-record.js';
import type { Gateway } from './gateway.js';

/** On SIGHUP the gateway reads its certificates again. A SIGHUP that comes before the gateway is ready is kept until then. */
export function renewOnSighup(): (gateway: Gateway, log: FastifyBaseLogger) => void {
  let asked = false;
  let renew = (): void => {
    asked = true;
  };
  // From the start of the process: without a listener SIGHUP would end it.
  process.on('SIGHUP', () => renew());
  return (gateway, log) => {
    let attempt = 0;
    renew = () => renewCertificates(gateway, log, ++attempt);
    if (asked) renew();
  };
}

function renewCertificates(gateway: Gateway, log: FastifyBaseLogger, attempt: number): void {
  try {
    gateway.renewCertificates();
    log.info('the certificates were read again and are in use');
  } catch (error) {
    const fault = error instanceof BootError ? { fault: error.message } : faultRecord(error);
    // Counted, so that the log shows the answer to a second SIGHUP, which would otherwise repeat the first.
    log.error({ ...fault, attempt }, 'SIGHUP changed nothing: the certificates that were in use stay in use');
  }
}
