import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ClientCertificate, ClientCertificates } from '../../security/client-certificate.js';
import { InvalidToken } from '../../security/token-claims.js';
import { IssuerUnreachable } from '../../security/token-issuer.js';
import type { TokenVerifier } from '../../security/token-verifier.js';
import type { Clock } from '../../clock/clock.js';
import { RegistrationRefused, type Registration } from './registration.js';
import { mediaTypeOf, readText } from '../listeners/request-body.js';
import { inGoodStanding } from './tpp.policy.js';
import type { Tpp, TppStore } from './tpp.store.js';

const mostBytes = 64 * 1024;
/** The first is the standard's of today, the second that of its versions before 3.2. */
const mediaTypes = ['application/jose', 'application/jwt'];
const scope = 'openid accounts';

export interface RegistrationControllerParts {
  readonly registration: Registration;
  readonly certificates: ClientCertificates;
  readonly tokens: TokenVerifier;
  readonly tpps: TppStore;
  readonly clock: Clock;
  readonly onClient: (request: IncomingMessage, clientId: string) => void;
}

/** `/register` and `/register/{ClientId}`: Open Banking Dynamic Client Registration 3.3, "Endpoints". */
export class RegistrationController {
  constructor(private readonly parts: RegistrationControllerParts) {}

  /** @param clientId `undefined` for `/register` itself */
  async handle(request: IncomingMessage, response: ServerResponse, clientId: string | undefined): Promise<void> {
    try {
      if (clientId === undefined) await this.register(request, response);
      else await this.manage(request, response, clientId);
    } catch (error) {
      if (error instanceof RegistrationRefused)
        return json(response, 400, { error: error.fault.error, error_description: error.fault.description });
      if (!(error instanceof IssuerUnreachable)) throw error;
      // Whether the statement is good cannot be known now.
      response.setHeader('retry-after', '5');
      json(response, 503, { error: 'temporarily_unavailable', error_description: 'the directory cannot be asked now' });
    }
  }

  private async register(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (request.method !== 'POST') return notAllowed(response, 'POST');
    const presented = this.parts.certificates.of(request);
    if (presented === undefined) return unauthorised(response);
    const jwt = await readJwt(request, response);
    if (jwt === undefined) return;
    const tpp = await this.parts.registration.register(jwt, presented);
    this.parts.onClient(request, tpp.clientId);
    json(response, 201, clientInformation(tpp));
  }

  private async manage(request: IncomingMessage, response: ServerResponse, clientId: string): Promise<void> {
    const { method = '' } = request;
    if (!['GET', 'PUT', 'DELETE'].includes(method)) return notAllowed(response, 'GET, PUT, DELETE');
    const presented = this.parts.certificates.of(request);
    if (presented === undefined) return unauthorised(response);
    const tpp = await this.owner(request, presented);
    if (tpp === undefined) return unauthorised(response);
    this.parts.onClient(request, tpp.clientId);
    // The bank's own entries are the bank's to change.
    if (tpp.clientId !== clientId || tpp.software === undefined) return empty(response, 403);
    switch (method) {
      case 'PUT': {
        const jwt = await readJwt(request, response);
        if (jwt === undefined) return;
        return json(response, 200, clientInformation(await this.parts.registration.change(jwt, presented, tpp)));
      }
      case 'DELETE':
        await this.parts.tpps.remove(clientId);
        return empty(response, 204);
      default:
        return json(response, 200, clientInformation(tpp));
    }
  }

  /** The TPP of a client-credentials token that came with the certificate that it is bound to. */
  private async owner(request: IncomingMessage, presented: ClientCertificate): Promise<Tpp | undefined> {
    const [, jwt] = /^bearer ([A-Za-z0-9\-._~+/]+=*)$/i.exec(request.headers.authorization ?? '') ?? [];
    if (jwt === undefined) return undefined;
    try {
      const token = await this.parts.tokens.verify(jwt);
      if (token.issuedHere !== true || token.consentId !== undefined) return undefined;
      if (token.certificateThumbprint !== presented.thumbprint) return undefined;
      const tpp = await this.parts.tpps.find(token.clientId);
      return tpp !== undefined && inGoodStanding(tpp, this.parts.clock.nowMs()) ? tpp : undefined;
    } catch (error) {
      if (error instanceof InvalidToken) return undefined;
      throw error;
    }
  }
}

/** The signed request; otherwise the answer is given already. */
async function readJwt(request: IncomingMessage, response: ServerResponse): Promise<string | undefined> {
  if (!mediaTypes.includes(mediaTypeOf(request) ?? '')) {
    empty(response, 415);
    return undefined;
  }
  const text = await readText(request, mostBytes);
  if (text === undefined) {
    response.setHeader('connection', 'close');
    empty(response, 413);
  }
  return text?.trim();
}

/** RFC 7591, section 3.2.1: everything that is registered, as it is registered. */
function clientInformation({ metadata, software }: Tpp): Record<string, unknown> {
  return {
    ...metadata,
    client_id_issued_at: software && Math.floor(software.registeredAt.getTime() / 1_000),
    scope,
    application_type: 'web',
    tls_client_certificate_bound_access_tokens: true,
    software_id: software?.softwareId,
    software_statement: software?.statement,
  };
}

function json(response: ServerResponse, status: number, body: object): void {
  const text = JSON.stringify(body);
  response
    .writeHead(status, {
      'content-type': 'application/json; charset=utf-8',
      'content-length': Buffer.byteLength(text),
      'cache-control': 'no-store',
    })
    .end(text);
}

function empty(response: ServerResponse, status: number): void {
  response.writeHead(status, { 'content-length': 0, 'cache-control': 'no-store' }).end();
}

function notAllowed(response: ServerResponse, allow: string): void {
  response.setHeader('allow', allow);
  empty(response, 405);
}

function unauthorised(response: ServerResponse): void {
  response.setHeader('www-authenticate', 'Bearer error="invalid_token"');
  empty(response, 401);
}
