import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pageHeaders } from '../../src/authorisation-server/listeners/page-answer.js';
import { assetPath, type PageAsset } from '../../src/authorisation-server/pages/customer-pages.js';

/** The authorization server's own policy: no other script, nothing from elsewhere. */
const { 'content-security-policy': contentSecurityPolicy = '' } = pageHeaders();

export interface PageServer {
  readonly origin: string;
  /** The bodies of the forms that were posted. */
  readonly posted: URLSearchParams[];
  close(): Promise<void>;
}

/** Serves each page at `/<its name>`, and the assets; takes posted forms anywhere. On the loopback interface only. */
export async function servePages(
  pages: Readonly<Record<string, string>>,
  assets: readonly PageAsset[],
): Promise<PageServer> {
  const posted: URLSearchParams[] = [];
  const server = createServer((request, response) => {
    response.setHeader('content-security-policy', contentSecurityPolicy);
    const path = request.url ?? '/';
    if (request.method === 'POST') {
      let body = '';
      request.setEncoding('utf8').on('data', (part: string) => (body += part));
      request.on('end', () => {
        posted.push(new URLSearchParams(body));
        response.setHeader('content-type', 'text/html; charset=utf-8');
        response.end('<!doctype html><html lang="en"><title>Posted</title><link rel="icon" href="data:,"></html>');
      });
      return;
    }
    const asset = assets.find(({ name }) => path === `${assetPath}/${name}`);
    const page = pages[path.slice(1)];
    response.statusCode = asset || page ? 200 : 404;
    response.setHeader('content-type', asset?.contentType ?? 'text/html; charset=utf-8');
    response.end(asset?.body ?? page ?? '');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, posted, close: () => closed(server) };
}

function closed(server: Server): Promise<void> {
  server.closeAllConnections();
  return new Promise((resolve, reject) => server.close((error) => (error ? reject(error) : resolve())));
}
