import { coreHttp } from '../core-adapter/http-core.client.js';
import type { CoreServices } from '../core-adapter/core-services.js';

const ignore = (): void => {};

/** For an adapter without a gateway: its log lines and metrics go nowhere. */
export const kitServices: CoreServices = {
  logger: { debug: ignore, info: ignore, warn: ignore, error: ignore },
  clock: { nowMs: () => Date.now() },
  metrics: { count: ignore, observe: ignore },
  http: coreHttp,
};
