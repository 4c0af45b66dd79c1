import type { CoreAdapter } from '../../packages/core-adapter/core.adapter.js';
import { type CoreSettingFault, isCoreSettingFault } from '../../packages/core-adapter/core-settings.js';
import { HttpCore, type CoreHttp, type HttpCoreSettings } from '../../packages/core-adapter/http-core.client.js';
import { BootError } from '../config/boot-error.js';
import type { CoreConfig } from '../config/core-config.js';
import { settingOfCore } from '../config/core-settings.js';
import { currentRead } from '../core-banking/current-read.js';

const none: readonly string[] = [];

/** The core's own spans become parts of the read that asks it. */
function headersOfTrace(): readonly string[] {
  const traceparent = currentRead.getStore()?.traceparent;
  return traceparent === undefined ? none : ['traceparent', traceparent];
}

/** The connections to one core, whose certificates the gateway renews: the HTTP clients that it lends, and the adapter's own. */
export class RenewableCore implements CoreHttp {
  private readonly parts: Pick<CoreAdapter, 'renewCertificates'>[] = [];

  constructor(private readonly core: Pick<CoreConfig, 'name' | 'adapter'>) {}

  connect(settings: HttpCoreSettings): HttpCore {
    const client = new HttpCore(settings, headersOfTrace);
    this.parts.push(client);
    return client;
  }

  add(adapter: CoreAdapter): void {
    this.parts.push(adapter);
  }

  /** Reads the files again. @returns a function that puts them to use @throws BootError; then nothing has changed */
  renew(): () => void {
    try {
      const renewed = this.parts.map((part) => part.renewCertificates?.());
      return () => renewed.forEach((putToUse) => putToUse?.());
    } catch (error) {
      throw isCoreSettingFault(error) ? settingFault(this.core, error) : error;
    }
  }
}

/** The adapter knows the settings by the names of a single core's. */
export function settingFault(
  { name, adapter }: Pick<CoreConfig, 'name' | 'adapter'>,
  fault: CoreSettingFault,
): BootError {
  return new BootError(`settings of the core "${name ?? adapter}": ${settingOfCore(name, fault.message)}`);
}
