import type { IncomingMessage } from 'node:http';
import { mediaTypeOf, readText } from './request-body.js';

const mostBytes = 16 * 1024;

/** The posted form, or `undefined` when it is none or too large. */
export async function readForm(request: IncomingMessage): Promise<URLSearchParams | undefined> {
  if (mediaTypeOf(request) !== 'application/x-www-form-urlencoded') return undefined;
  const text = await readText(request, mostBytes);
  return text === undefined ? undefined : new URLSearchParams(text);
}
