import '../../src/boot/no-debugger.js';
import { runGateway } from '../../src/boot/process.js';
import { keptClock } from '../clock/kept-time.js';
import { readSandboxConfig } from '../sandbox.config.js';
import { obeyTimeOrders, report } from '../stack-messages.js';
import { watchHttp } from '../watched-http.js';

/**
 * The gateway as the sandbox runs it: the same gateway, except that its bank's time can be moved on and that it reports
 * each request to its parent process. The image of the gateway does not contain this file.
 */
const config = readSandboxConfig();
const clock = await keptClock(config.dataDir);
obeyTimeOrders(clock);
const listeners = [config.port, config.browserPort, config.mtlsPort];
watchHttp(
  (exchange) => report({ exchange }),
  (port, url) => listeners.includes(port) && !/^\/(as\/assets|docs\/)/.test(url),
  // The authorization server answers a request that succeeds with a token or a page: neither is kept.
  (port, _url, status) => port === config.port || status >= 400 || status === 0,
);
runGateway({
  bankClock: clock,
  // An account of the persona `complete`: the token that the start prints can read it, so the document's examples work.
  ...(config.hasOwnCore && { exampleAccount: 'A100101' }),
  seeLog: (record) => record.includes('ccess":{') && report({ record }),
});
