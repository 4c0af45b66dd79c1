import formBody from '@fastify/formbody';
import { type FastifyInstance, type FastifyReply, fastify } from 'fastify';
import type { Stack } from '../clients/stack.js';
import { ImpossibleMove } from '../clock/stack-time.js';
import { FaultyStart } from '../faulty-start.js';
import { serveIcon } from '../web/icon.js';
import type { SandboxConfig } from '../sandbox.config.js';
import { refuseForeignPages } from '../web/own-pages-only.js';
import { sendPage } from '../web/page.js';
import type { Windows } from './bank.views.js';
import { consolePage, faultPage, innerPage } from './console-page.js';
import { type FormParts, ImpossibleAction, declareForms } from './forms.js';
import { Notices } from './notices.js';
import type { RequestLog, RequestStory, StoryFilter } from './request-log.js';
import { script } from './script.js';
import { StackView } from './stack-view.js';
import { style } from './style.js';
import { type WhyAnswer, whyContent } from './why.view.js';

export interface ConsoleOptions extends Omit<FormParts, 'view' | 'notices'> {
  readonly requests: RequestLog;
  readonly windows: Windows;
  readonly links: readonly { readonly name: string; readonly url: string }[];
}

/** Browsers get no more than this many events a second, however many requests there are. */
const eventsEveryMs = 250;

/** The sandbox's console: one page, of use on this machine only. */
export function createConsole(options: ConsoleOptions): FastifyInstance {
  const { requests, time, stack, windows, links } = options;
  const { config } = stack;
  const server = fastify({ forceCloseConnections: true, bodyLimit: 16 * 1024 });
  const view = new StackView(stack);
  const notices = new Notices();
  server.register(formBody);
  server.addHook('onRequest', refuseForeignPages);
  serveIcon(server, 'C', '#5b2a86');

  const stopWatching = requests.onChange((story) => {
    if (mayChangeState(story)) view.changed();
  });
  server.addHook('onClose', () => stopWatching());
  const canSignIn = config.authorisationServer === 'embedded' && config.browserUrl.startsWith('http://localhost:');
  const otherCore = config.hasOwnCore ? undefined : coreSetting(config);
  const facts = { requests, canSignIn, otherCore, windows, links };
  server.get<{ Querystring: Readonly<Record<string, unknown>> }>('/', async ({ query }, reply) => {
    const notice = typeof query.notice === 'string' ? notices.find(query.notice) : undefined;
    const page = consolePage({
      ...facts,
      notice,
      nowMs: time.clock.nowMs(),
      aheadMs: time.clock.aheadMs,
      filter: filterOf(query),
      state: await view.state(),
    });
    // A sign-in leads to the bank's own page.
    return sendPage(reply, page, 200, canSignIn ? [config.browserUrl] : [], { live: true });
  });
  declareWhy(server, stack);
  declareEvents(server, requests);
  declareForms(server, { ...options, view, notices });
  server.get('/console.css', (_request, reply) => reply.type('text/css; charset=utf-8').send(style));
  server.get('/console.js', (_request, reply) => reply.type('text/javascript; charset=utf-8').send(script));
  server.get('/health', () => ({ status: 'up' }));
  server.setErrorHandler((error, _request, reply) => sendFault(reply, error));
  server.setNotFoundHandler((_request, reply) => sendPage(reply, faultPage('The console has no such page.'), 404));
  return server;
}

/** The explanation of one request, by the gateway’s port for the bank. */
function declareWhy(server: FastifyInstance, stack: Stack): void {
  server.get<{ Querystring: Readonly<Record<string, unknown>> }>('/why', async ({ query: { id } }, reply) => {
    if (typeof id !== 'string' || id === '') return sendPage(reply, faultPage('The address names no request.'), 400);
    const answer = (await stack.bank('GET', `/trail/why/${encodeURIComponent(id)}`)) as WhyAnswer;
    return sendPage(reply, innerPage(whyContent(id, answer)));
  });
}

/** Server-sent events that say that something changed, and nothing else: a browser then asks for the page. */
function declareEvents(server: FastifyInstance, requests: RequestLog): void {
  const open = new Set<FastifyReply>();
  let due: NodeJS.Timeout | undefined;
  const stop = requests.onChange(() => {
    due ??= setTimeout(() => {
      due = undefined;
      for (const reply of open) reply.raw.write('data: changed\n\n');
    }, eventsEveryMs);
  });
  server.get('/events', (request, reply) => {
    reply.hijack();
    reply.raw.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' });
    reply.raw.write('retry: 1000\n\n');
    open.add(reply);
    request.raw.once('close', () => void open.delete(reply));
  });
  server.addHook('onClose', () => {
    stop();
    clearTimeout(due);
  });
}

/** A read of account information changes nothing that the other sections show. */
function mayChangeState(story: RequestStory | undefined): boolean {
  return story === undefined || story.method !== 'GET' || !story.url.startsWith('/open-banking/');
}

function coreSetting({ core, cores }: SandboxConfig): string {
  return cores === undefined ? `CORE=${core}` : `CORES=${cores}`;
}

function filterOf({ before, refused, find }: Readonly<Record<string, unknown>>): StoryFilter {
  const number = typeof before === 'string' && /^\d{1,12}$/.test(before) ? Number(before) : undefined;
  return {
    ...(number !== undefined && { before: number }),
    ...(refused === 'yes' && { refused: true }),
    ...(typeof find === 'string' && find !== '' && { find: find.slice(0, 200) }),
  };
}

function sendFault(reply: FastifyReply, error: unknown): FastifyReply {
  if (error instanceof ImpossibleMove || error instanceof ImpossibleAction)
    return sendPage(reply, faultPage(error.message), 400);
  if (error instanceof FaultyStart) return sendPage(reply, faultPage(`The stack refused: ${error.message}`), 502);
  return sendPage(reply, faultPage('Something in this sandbox is broken. Its terminal says more.'), 500);
}
