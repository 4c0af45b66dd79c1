import swagger from '@fastify/swagger';
import type { FastifyInstance } from 'fastify';
import { nameSchemas } from '../openapi/named-schemas.js';

const description = `The requests of a bank's own authorisation service and its operators, on the bank's own port.

For an authorization server this is the **consent decision service**: it reads the consent that a TPP refers to, shows it
to the customer, authenticates the customer, and reports the customer's decision here. The gateway keeps the
decision and checks every request of the TPP against it; the tokens of the server only name their consent. Every answer carries \`x-fapi-interaction-id\`.`;

/** Collects the declarations of the routes that are registered from then on; `server.swagger()` returns the document. */
export function describeBankFacing(server: FastifyInstance): void {
  void server.register(swagger, {
    stripBasePath: false,
    openapi: {
      openapi: '3.1.0',
      info: { title: 'The bank-facing API', version: '1', description },
      tags: [
        { name: 'Consents', description: 'The consent decision service.' },
        { name: 'Sign-ins', description: "Customers' sign-ins at the embedded authorization server." },
        { name: 'TPPs', description: 'The TPPs and signing keys of the embedded authorization server.' },
        {
          name: 'Cases',
          description: 'Consents of a customer, an account or a TPP, and their withdrawal by operators.',
        },
        { name: 'Operators', description: 'The operators of the bank, and their roles.' },
        { name: 'Outages', description: 'The outages that the bank plans, which TPPs see.' },
        { name: 'Trail', description: 'Questions to the decision trail.' },
        { name: 'Operation', description: 'Health and metrics, without a credential.' },
      ],
      components: {
        securitySchemes: {
          bankCredential: { type: 'http', scheme: 'bearer', description: 'The setting `BANK_CREDENTIAL`.' },
          operatorCredential: {
            type: 'http',
            scheme: 'bearer',
            description: 'The credential of an operator with one of the roles: `npm run ops -- operators`.',
          },
        },
      },
    },
    transformObject: (given) => {
      if (!('openapiObject' in given)) throw new Error('the document is not an OpenAPI 3 document');
      const { openapiObject } = given;
      const schemas: Record<string, unknown> = {};
      const paths = nameSchemas(openapiObject.paths, schemas) as typeof openapiObject.paths;
      return { ...openapiObject, paths, components: { ...openapiObject.components, schemas } as never };
    },
  });
}
