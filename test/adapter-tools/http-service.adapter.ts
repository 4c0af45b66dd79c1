import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import { HttpService } from '@nestjs/axios';
import { Inject, Injectable } from '@nestjs/common';
import type { CoreAdapter, CoreItems } from '../../packages/core-adapter/core.adapter.js';
import { CoreError } from '../../packages/core-adapter/core-error.js';
import type { CoreAccount } from '../../packages/core-adapter/core.records.js';
import { CORE_SETTINGS, type CoreSettings } from '../../packages/core-adapter/core-settings.js';

/** The example of docs/adding-a-core.md, whole. */
@Injectable()
export class MyCoreAdapter implements CoreAdapter {
  readonly name = 'my-core';
  readonly pending = 'none';
  readonly missing = {};
  private readonly agents = {
    httpAgent: new HttpAgent({ keepAlive: true }),
    httpsAgent: new HttpsAgent({ keepAlive: true }),
  };

  constructor(
    @Inject(CORE_SETTINGS) private readonly settings: CoreSettings,
    private readonly http: HttpService,
  ) {}

  private async read(path: string, signal: AbortSignal): Promise<unknown> {
    try {
      const { data } = await this.http.axiosRef.get<unknown>(this.settings.url + path, { ...this.agents, signal });
      return data;
    } catch (error) {
      const { kind, status = 0 } = error as { kind: string; status?: number };
      if (kind === 'late' || kind === 'aborted') throw new CoreError('timeout', 'my-core did not answer in time');
      if (kind === 'unreachable' || status >= 500) throw new CoreError('unavailable', 'my-core cannot be reached');
      throw new CoreError('bad-record', `my-core: ${kind} ${status}`);
    }
  }

  close(): Promise<void> {
    for (const agent of [this.agents.httpAgent, this.agents.httpsAgent]) agent.destroy();
    return Promise.resolve();
  }

  async health(signal: AbortSignal): Promise<void> {
    await this.read('/health', signal);
  }

  accounts(): Promise<CoreItems<CoreAccount>> {
    return Promise.resolve({ items: [], bad: [] });
  }

  account(): Promise<CoreAccount> {
    return Promise.reject(new CoreError('account-not-found', 'my-core has no accounts'));
  }
}
