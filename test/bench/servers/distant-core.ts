import { createServer, request, type IncomingMessage } from 'node:http';

// A core that is far away: the sandbox bank's, behind a wait. One customer's accounts may take longer than the others'.
const { PORT, CORE_URL = '', ANSWER_MS, SLOW_CUSTOMER, SLOW_ANSWER_MS } = process.env;
const core = new URL(CORE_URL);

const waitMs = (url: string): number =>
  Number(url.includes(`/clients/${SLOW_CUSTOMER}/`) ? SLOW_ANSWER_MS : ANSWER_MS) || 0;

const server = createServer((asked, answer) => {
  const { url = '/', headers } = asked;
  if (url === '/health/ready') return void answer.end();
  const waiting = setTimeout(() => {
    const ask = request({ hostname: core.hostname, port: core.port, path: url, headers }, (given: IncomingMessage) => {
      answer.writeHead(given.statusCode ?? 502, given.headers);
      given.pipe(answer);
    });
    ask.on('error', () => answer.destroy());
    ask.end();
  }, waitMs(url));
  // The gateway gave the request up.
  answer.once('close', () => clearTimeout(waiting));
});
server.listen(Number(PORT), '127.0.0.1');

process.once('disconnect', () => process.exit(0));
process.once('SIGTERM', () => process.exit(0));
