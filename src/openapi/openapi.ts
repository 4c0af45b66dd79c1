import swagger, { type FastifyDynamicSwaggerOptions } from '@fastify/swagger';
import type { FastifyInstance } from 'fastify';
import type { GatewayConfig } from '../config/config.js';
import { PublicIds } from '../open-banking/public-ids.js';
import { servedScopes, type Profile } from '../profiles/profile.js';
import { documentedServers, metadataUrlOf, securityOf, securitySchemesOf } from './authorisation-document.js';
import { publishedFactsPath } from './published-facts.js';
import type { ApiVersion } from '../endpoint/api-version.js';
import { documentName, versionsNamed } from '../versions/versions.js';
import { errorNamesIn, errorsPagePath } from '../server/error-names.js';
import { declarePages } from './documentation-pages.js';
import { completeDocument, describeOperation, type OpenApiDocument } from './openapi-document.js';

type DocumentConfig = Pick<GatewayConfig, 'baseUrl' | 'authorisationServer' | 'idKey'>;

/**
 * The OpenAPI document of the registered routes at `/openapi.json`, and a page that shows it at `/docs`. Must be registered
 * before the first route. Both are public: they describe the gateway and contain no customer's data.
 * @param exampleAccount the core's reference of an account for the examples of paths: only a sandbox has one
 */
export async function registerOpenApi(
  server: FastifyInstance,
  config: DocumentConfig,
  profile: Profile,
  exampleAccount?: string,
): Promise<void> {
  const exampleId = exampleAccount === undefined ? undefined : new PublicIds(config.idKey).ofAccount(exampleAccount);
  const versions = versionsNamed(profile.rules.versions);
  for (const version of versions) await server.register(swagger, documentOf(version, config, profile, exampleId));
  await server.register((pages) => declarePages(pages, config, profile.rules.errorCodePrefix, versions));
}

function documentOf(
  version: ApiVersion,
  config: DocumentConfig,
  profile: Profile,
  exampleId: string | undefined,
): FastifyDynamicSwaggerOptions {
  return {
    decorator: documentName('swagger', version),
    stripBasePath: false,
    openapi: {
      openapi: '3.1.0',
      info: infoOf(version, profile),
      servers: documentedServers(config),
      tags: [...apiTags, ...(profile.rules.fundsConfirmation ? fundsTags : [])],
      ...authorisationDocs(metadataUrlOf(config)),
      components: { securitySchemes: securitySchemesOf(config, servedScopes(profile)) as never },
    },
    transform: transformOf(version, config, profile, exampleId),
    transformObject: (made) =>
      'openapiObject' in made
        ? completeDocument(
            made.openapiObject as OpenApiDocument,
            version,
            errorNamesIn(version.errors, { baseUrl: config.baseUrl, errorCodePrefix: profile.rules.errorCodePrefix }),
          )
        : made.swaggerObject,
  };
}

/** Adds to the schema of a route, and hides the routes of the other versions. */
function transformOf(
  version: ApiVersion,
  config: DocumentConfig,
  profile: Profile,
  exampleId: string | undefined,
): NonNullable<FastifyDynamicSwaggerOptions['transform']> {
  return ({ schema, url, route }) => {
    const declaration = route.config?.declaration;
    if (declaration?.version !== undefined && declaration.version !== version)
      return { schema: { ...schema, hide: true }, url };
    const description = describeOperation(declaration, profile.endpoints);
    const security = schema?.security && securityOf(schema.security, config);
    const params = exampleId && withExample(schema?.params as PathSchema | undefined, exampleId);
    return {
      schema: {
        ...schema,
        ...(description && { description }),
        ...(security && { security }),
        ...(params && { params }),
      },
      url,
    };
  };
}

interface PathSchema {
  readonly properties: { readonly AccountId?: object };
}

/** Adds an id that the reader can paste. A bank's document has an invented one, because a real id would be a customer's. */
function withExample(params: PathSchema | undefined, exampleId: string): PathSchema | undefined {
  if (params?.properties.AccountId === undefined) return params;
  return {
    ...params,
    properties: { ...params.properties, AccountId: { ...params.properties.AccountId, examples: [exampleId] } },
  };
}

/** The endpoints of OAuth are described by the metadata of their own standard. */
function authorisationDocs(url: string | undefined) {
  return (
    url !== undefined && {
      externalDocs: {
        url,
        description: 'The authorization server: its endpoints, algorithms and scopes (OpenID Connect Discovery).',
      },
    }
  );
}

const fundsTags = [
  { name: 'Funds confirmation consents', description: 'For which account a TPP may ask about funds, and until when.' },
  { name: 'Confirmation of funds', description: 'Whether the customer can spend an amount: yes or no.' },
];
const apiTags = [
  { name: 'Account access consents', description: 'The data of a customer that a TPP may read, and until when.' },
  { name: 'Events', description: 'Changes to the consents of a TPP that the customer or the bank made.' },
  { name: 'Account information', description: 'The data that the customer has agreed to share.' },
];

function infoOf(version: ApiVersion, profile: Profile) {
  return {
    title: `Account information, ${profile.name}`,
    version: version.release,
    description: gettingStarted(version),
    contact: { name: 'The bank that runs this gateway' },
    license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
  };
}

const gettingStarted = ({
  basePath,
}: ApiVersion) => `Read-only account information under the UK Open Banking standard. Every path starts with
\`${basePath}\`, and every answer carries \`x-fapi-interaction-id\`.

## Getting started

1. Get a client-credentials token, and create an account access consent with it.
2. Send the customer to the bank. The customer selects accounts and approves the consent.
3. Read the accounts with the token of the consent. For 5 minutes after the customer's authentication you may read
   everything that the consent permits; after that, accounts, balances and recent transactions.

To try it here, press **Authorize**, paste a token, and press **Try it out** at an endpoint. While a sandbox runs,
\`npm run --silent sandbox -- consent --persona complete\` prints a token for it, and the ids of the accounts. And
\`npm run --silent sandbox -- tpp new --name "My TPP" --redirect http://localhost:4000/callback --auth certificate\` makes
your TPP, with programs.

Each error has a \`Url\`, which leads to [the errors](${errorsPagePath}). \`GET ${publishedFactsPath}\`, without a token, lists
the endpoints of each product, the exemptions from the authentication window, the page size, the facts about pending
transactions and history, and that a consent's history must not reach into the future.`;
