import type { FastifyRequest } from 'fastify';
import { OpenBankingError } from '../open-banking/errors.js';

/** Whether a Host header names the host of this URL of the gateway, whose default port may be written out (RFC 9110, 4.2.3). */
export function isHostOf(url: string): (header: string | undefined) => boolean {
  const { host, port, protocol } = new URL(url);
  const full = port === '' ? `${host}:${protocol === 'https:' ? 443 : 80}` : host;
  return (header) => {
    const named = header?.toLowerCase();
    return named === host || named === full;
  };
}

const wrongHost = { field: 'header:Host', rule: 'own-host' } as const;

/** The refusal of a request that was sent to another name than this URL's (RFC 9110, section 15.5.20). */
export function misdirected(url: string): (request: FastifyRequest) => OpenBankingError | undefined {
  const isPublishedHost = isHostOf(url);
  return ({ headers }) =>
    isPublishedHost(headers.host)
      ? undefined
      : new OpenBankingError(
          'misdirected',
          {
            message: `This is ${new URL(url).host}: send the request there, with this Host header.`,
            path: 'Host',
            ...wrongHost,
          },
          { headers: { connection: 'close' } },
        );
}

/**
 * The refusal of a request whose target is a whole URL of another host than ours (RFC 9112, section 3.2.2). A proxy that
 * reads the target would have sent the request elsewhere.
 * @param url ours, on which the links of the answer are built
 */
export function foreignTargetFault({ raw }: Pick<FastifyRequest, 'raw'>, url: string): OpenBankingError | undefined {
  const target = raw.url ?? '';
  if (target.startsWith('/') || target === '*') return undefined;
  const authority = /^https?:\/\/([^/?#]*)/i.exec(target)?.[1];
  if (authority !== undefined && isHostOf(url)(authority)) return undefined;
  return new OpenBankingError(
    'header-invalid',
    {
      message: `The request target names another host than ${new URL(url).host}: send the path alone.`,
      path: 'Host',
      ...wrongHost,
    },
    { headers: { connection: 'close' }, reason: 'host-foreign' },
  );
}
