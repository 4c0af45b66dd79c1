import { CoreSettingFault } from '../../packages/core-adapter/core-settings.js';
import { HttpCore, type CoreHttp, type HttpCoreSettings } from '../../packages/core-adapter/http-core.client.js';
import { BootError } from '../config/boot-error.js';
import { currentRead } from '../core-banking/current-read.js';

const none: readonly string[] = [];

/** The core's own spans become parts of the read that asks it. */
function headersOfTrace(): readonly string[] {
  const traceparent = currentRead.getStore()?.traceparent;
  return traceparent === undefined ? none : ['traceparent', traceparent];
}

/** Lends HTTP clients to adapters, and renews their certificates. */
export class RenewableCoreHttp implements CoreHttp {
  private readonly clients: HttpCore[] = [];

  connect(settings: HttpCoreSettings): HttpCore {
    const client = new HttpCore(settings, headersOfTrace);
    this.clients.push(client);
    return client;
  }

  /** Reads the files again. @returns a function that puts them to use @throws BootError; then nothing has changed */
  renew(): () => void {
    try {
      const renewed = this.clients.map((client) => client.renewCertificates());
      return () => renewed.forEach((putToUse) => putToUse());
    } catch (error) {
      if (!(error instanceof CoreSettingFault)) throw error;
      throw new BootError(`settings of the core: ${error.message}`);
    }
  }
}
