import type { IncomingMessage } from 'node:http';

/** The content type without parameters, in small letters. */
export function mediaTypeOf(request: IncomingMessage): string | undefined {
  return request.headers['content-type']?.split(';', 1)[0]?.trim().toLowerCase();
}

/** The connection ended before the body did: nobody is left to answer, and nothing is wrong with us. */
export class ClientGone extends Error {
  override readonly name = 'ClientGone';
}

/**
 * The posted text, or `undefined` when it is larger.
 * @throws ClientGone
 */
export async function readText(request: IncomingMessage, mostBytes: number): Promise<string | undefined> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const chunk of request as AsyncIterable<Buffer>) {
      bytes += chunk.length;
      if (bytes > mostBytes) return undefined;
      chunks.push(chunk);
    }
  } catch (cause) {
    // A request's stream fails for no other reason.
    throw new ClientGone('the connection ended in the middle of the request', { cause });
  }
  return Buffer.concat(chunks).toString('utf8');
}
