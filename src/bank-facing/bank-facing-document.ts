import swagger from '@fastify/swagger';
import type { FastifyInstance } from 'fastify';
import { nameSchemas } from '../openapi/named-schemas.js';

const description = `What a bank's own authorisation service and its operators ask of the gateway, on a port of the bank's own.

For an authorization server this is the **consent decision service**: it reads the consent that a TPP refers to, shows the
customer what is asked for, authenticates the customer, and reports here what the customer decided. The gateway
keeps the decision and holds every request of the TPP against it; what the server writes into its tokens is only whose
consent they are for. Every answer carries \`x-fapi-interaction-id\`.`;

/** Collects what the routes that are registered from then on declare; `server.swagger()` tells it. */
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
        { name: 'Operation', description: 'Health and metrics, without a credential.' },
      ],
      components: {
        securitySchemes: {
          bankCredential: { type: 'http', scheme: 'bearer', description: 'The setting `BANK_CREDENTIAL`.' },
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
