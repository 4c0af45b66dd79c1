import { Matches, NotEquals } from 'class-validator';
import { strongAuthentication } from '../open-banking/authentication-classes.js';
import { embeddedIssuer, issuerName } from '../open-banking/tpp-id.js';
import { embeddedNameFault, issuerNameFault } from './issuer.dto.js';
import { keySetSource } from './key-set-source.js';
import { ListenerEnvironment } from './listener-environment.dto.js';
import { howToMakeSecret } from './secrets.js';
import { settingsOf } from './setting.js';
import { file, headerSecret, matching, oneOf, text, webUrl, type Kind } from './setting-kinds.js';

const tokens = settingsOf('Access tokens of the bank’s own authorization server');
const embedded = settingsOf('Embedded authorization server');

const keyDigits: Kind = {
  type: '64 hexadecimal digits',
  secret: true,
  checks: [Matches(/^[0-9a-f]{64}$/i, { message: `$property must be 64 hexadecimal digits: ${howToMakeSecret}` })],
};
const issuer: Kind = {
  type: 'text',
  checks: [
    Matches(issuerName, { message: issuerNameFault }),
    NotEquals(embeddedIssuer, { message: embeddedNameFault }),
  ],
};

export class AuthorisationEnvironment extends ListenerEnvironment {
  @tokens('Issuer of the access tokens. Set it with the next two, or `ISSUERS_FILE` in their place.', issuer)
  TOKEN_ISSUER?: string;
  @tokens('Audience of these tokens.', text) TOKEN_AUDIENCE?: string;
  @tokens(
    'Key set of these tokens: a URL or a file. Where TPPs use TLS, plain HTTP is allowed on this machine only.',
    text,
  )
  TOKEN_JWKS?: string;
  @tokens('JSON file of issuers ([external-authorisation-server.md](external-authorisation-server.md)).', file)
  ISSUERS_FILE?: string;

  @embedded(
    '`embedded`: customers approve on the gateway’s own pages. `none`: the bank has its own authorization server.',
    oneOf(['none', 'embedded']),
    { otherwise: '`none` where issuers are set, otherwise `embedded`' },
  )
  AUTHORISATION_SERVER?: 'none' | 'embedded';
  @embedded('Seals the signing keys in the database.', keyDigits, { decided: true }) KEY_ENCRYPTION_KEY?: string;
  @embedded(
    'The adapter that authenticates customers: `http`, `oidc` ([walks/sign-on.md](../bank/walks/sign-on.md)), or the absolute path of the module of your own adapter.',
    text,
  )
  CUSTOMER_AUTHENTICATION = 'http';
  @embedded(
    'Address of the bank’s customer authentication. Where TPPs use TLS, plain HTTP is allowed on this machine only.',
    webUrl,
    { decided: true },
  )
  CUSTOMER_AUTHENTICATION_URL?: string;
  @embedded('The gateway’s credential there.', headerSecret, { decided: true })
  CUSTOMER_AUTHENTICATION_CREDENTIAL?: string;
  @embedded(
    'The accepted classes (`acr`) of an authentication, with one space between them.',
    matching('words', /^[!-~]+( [!-~]+)*$/, 'must be acr values with one space between them'),
  )
  CUSTOMER_AUTHENTICATION_ACR: string = strongAuthentication;
  @embedded('JSON file with the appearance of the customers’ pages ([customers-pages.md](customers-pages.md)).', file)
  BRAND_FILE?: string;
  @embedded('JSON file of TPPs that the gateway registers at each start ([tpps.md](tpps.md)).', file)
  TPPS_FILE?: string;
  @embedded('Directory whose software statements let TPPs register themselves: `iss` of the statements.', text)
  DIRECTORY_ISSUER?: string;
  @embedded(
    'Key set of the directory.',
    matching(
      'https URL, http URL of this machine, or file',
      keySetSource,
      'must be an https URL, an http URL of this machine, or a file',
    ),
  )
  DIRECTORY_JWKS?: string;
  @embedded(
    'URL at which the directory publishes the present statement of a software. A TPP that loses its role is then refused.',
    matching(
      'URL with `{software_id}`',
      /^(https:\/\/|http:\/\/(127\.0\.0\.1|localhost|\[::1\])[:/])\S*\{software_id\}\S*$/i,
      'must be an https URL, or an http URL of this machine, with {software_id} in it',
    ),
  )
  DIRECTORY_STATEMENTS?: string;
  @embedded('Authorities (PEM) of the directory’s servers, where Node does not know them.', file)
  DIRECTORY_CA_FILE?: string;
  @embedded('The directory’s name of this bank, to which registration requests may be addressed.', text)
  DIRECTORY_BANK_ID?: string;
}
