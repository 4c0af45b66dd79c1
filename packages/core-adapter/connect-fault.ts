/**
 * Why a connection to a core failed. The list is closed, so that no words of another system are repeated. `settings`: the
 * core answers, but refuses a setting of the gateway, such as a password. The adapter's message names the setting.
 */
export const connectFaults = ['refused', 'host-unknown', 'no-route', 'no-answer', 'lost', 'tls', 'settings'] as const;
export type ConnectFault = (typeof connectFaults)[number];

const byCode: Readonly<Record<string, ConnectFault>> = {
  ECONNREFUSED: 'refused',
  ENOENT: 'refused',
  ENOTFOUND: 'host-unknown',
  EAI_AGAIN: 'host-unknown',
  EHOSTUNREACH: 'no-route',
  EHOSTDOWN: 'no-route',
  ENETUNREACH: 'no-route',
  ETIMEDOUT: 'no-answer',
  ECONNRESET: 'lost',
  EPIPE: 'lost',
  UND_ERR_SOCKET: 'lost',
};
const ofTls = /^(EPROTO$|ERR_TLS_|ERR_SSL_|CERT_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_)/;

/** @param code of an error of Node, OpenSSL or undici */
export function connectFaultOf(code: string): ConnectFault | undefined {
  return Object.hasOwn(byCode, code) ? byCode[code] : ofTls.test(code) ? 'tls' : undefined;
}
