import { Matches } from 'class-validator';
import { CoreEnvironment } from './core-environment.dto.js';
import { settingsOf } from './setting.js';
import {
  addressRanges,
  bearers,
  file,
  headerSecrets,
  matching,
  oneOf,
  port,
  text,
  webUrl,
  integer,
  type Kind,
} from './setting-kinds.js';

const listener = settingsOf('Where the gateway listens');
const tpps = settingsOf('Connections of TPPs');
const bank = settingsOf('The bank’s port');

const publicUrl: Kind = {
  type: 'URL',
  checks: [
    ...webUrl.checks,
    Matches(/^\w+:\/\/[^/?#@]+(\/[^?#]*)?$/, {
      message: '$property must be a URL without a user, a query and a fragment',
    }),
  ],
};

/** The chain of these classes adds subject after subject to the settings, up to `Environment`. */
export class ListenerEnvironment extends CoreEnvironment {
  @listener('Address on which the ports of TPPs and customers listen.', text) HOST = '127.0.0.1';
  @listener('Port of the TPPs’ API.', port) PORT = 3000;
  @listener(
    'Absolute URL under which TPPs reach `PORT`, with its path. Links in answers begin with it. It is https where `TLS_CERT_FILE` is set.',
    publicUrl,
    { decided: true, otherwise: 'http://localhost:PORT' },
  )
  BASE_URL?: string;
  @listener('With the embedded authorization server: port for TPPs with mutual TLS, on `HOST`.', port) MTLS_PORT = 3004;
  @listener('Origin under which TPPs reach `MTLS_PORT`.', webUrl, { otherwise: 'https://localhost:MTLS_PORT' })
  MTLS_URL?: string;
  @listener('With the embedded authorization server: port for customers’ browsers, on `HOST`.', port)
  BROWSER_PORT = 3003;
  @listener(
    'Origin under which browsers reach `BROWSER_PORT`. Where TPPs use TLS, plain HTTP is allowed on this machine only.',
    webUrl,
    { otherwise: 'http://localhost:BROWSER_PORT' },
  )
  BROWSER_URL?: string;
  @listener(
    'Time for which the gateway still answers after SIGTERM while it reports not ready: longer than the load balancer needs to notice.',
    integer('seconds', 0, 300),
  )
  STOP_DELAY_SECONDS = 5;

  @tpps('Certificate (PEM) of mutual TLS on `PORT`. Set it with the next two, or none of them.', file)
  TLS_CERT_FILE?: string;
  @tpps('Key (PEM) of that certificate.', file) TLS_KEY_FILE?: string;
  @tpps('Authorities (PEM) of the TPPs’ certificates on `PORT`.', file) TLS_CLIENT_CA_FILE?: string;
  @tpps('Revocation lists (PEM) of all these authorities. Then no revoked certificate is accepted.', file)
  TLS_CLIENT_CRL_FILE?: string;
  @tpps('Certificate (PEM) of `MTLS_PORT`. It and its key stay unset where a proxy ends TLS.', file)
  MTLS_CERT_FILE?: string;
  @tpps('Key (PEM) of that certificate.', file) MTLS_KEY_FILE?: string;
  @tpps('Authorities (PEM) of the TPPs’ certificates on `MTLS_PORT`, also behind a proxy.', file)
  MTLS_CLIENT_CA_FILE?: string;
  @tpps('Revocation lists (PEM) of all these authorities, where the gateway ends TLS itself.', file)
  MTLS_CLIENT_CRL_FILE?: string;
  @tpps(
    'Behind a proxy that ends mutual TLS: the header with the client’s certificate. Set it with the next two, or none of them.',
    matching('name of a header', /^[A-Za-z0-9-]+$/, 'must be the name of a header'),
  )
  CLIENT_CERTIFICATE_HEADER?: string;
  @tpps('Addresses of that proxy.', addressRanges) TRUSTED_PROXIES?: string[];
  @tpps('Secret that the proxy sends as `x-proxy-secret`. Each secret of the list is valid.', headerSecrets)
  PROXY_SECRET?: string[];
  @tpps('Certificate (PEM) of HTTPS on `BROWSER_PORT`. Unset where a proxy ends TLS.', file)
  BROWSER_TLS_CERT_FILE?: string;
  @tpps('Key (PEM) of that certificate.', file) BROWSER_TLS_KEY_FILE?: string;
  @tpps(
    'Addresses of the proxies before `BROWSER_PORT`, whose `X-Forwarded-For` gives the browser’s address. Without it nothing is counted by source address behind a proxy.',
    addressRanges,
  )
  SIGN_IN_PROXIES?: string[];
  @tpps(
    'Allows connections to and from other machines without TLS (the bank’s port, the core, the database, the customer authentication) and issuers with `"binding": "none"`. Refused where TPPs come over TLS, or a public URL is https on another machine.',
    oneOf(['sandbox']),
  )
  ALLOW_PLAIN_CONNECTIONS?: 'sandbox';

  @bank('Address of the bank’s port. TPPs must not reach it.', text) BANK_HOST = '127.0.0.1';
  @bank('The bank’s port: bank-facing API, health checks and metrics.', port) BANK_PORT = 3001;
  @bank(
    'Bearer credential of the bank’s authorisation service on `BANK_PORT`. Each credential of the list is valid; commands send the first.',
    bearers,
    { needed: true, decided: true },
  )
  BANK_CREDENTIAL!: string[];
  @bank('Certificate (PEM) of HTTPS on `BANK_PORT`. The commands read it too, to recognise the gateway.', file)
  BANK_TLS_CERT_FILE?: string;
  @bank('Key (PEM) of that certificate.', file) BANK_TLS_KEY_FILE?: string;
  @bank('Authorities (PEM). Callers of `/bank` then need a certificate of one of them and the credential.', file)
  BANK_TLS_CLIENT_CA_FILE?: string;
  @bank(
    'With `yes`, the withdrawal of more than one consent, the suspension or reinstatement of a TPP and a change of its keys or redirect URIs wait until a second operator approves.',
    oneOf(['yes', 'no']),
  )
  TWO_PERSONS = 'no';
}
