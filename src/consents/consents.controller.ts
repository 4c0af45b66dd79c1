import { Body, Controller, Delete, Get, HttpCode, Param, Post, Req } from '@nestjs/common';
import { RouteConfig, RouteSchema } from '@nestjs/platform-fastify';
import type { FastifyRequest } from 'fastify';
import { Type, type Static } from 'typebox';
import { basePath } from '../open-banking/base-path.js';
import { formatDateTime } from '../open-banking/date-times.js';
import { permissionCodes } from '../open-banking/permissions.js';
import { LinksSchema, MetaSchema } from '../endpoint/envelope.js';
import type { RouteDeclaration } from '../endpoint/route-declaration.js';
import { consentStatuses, type Consent } from './consent.js';
import { ConsentRequestSchema, type ConsentTerms } from './consent-request.js';
import { ConsentService } from './consent.service.js';

const dateTime = Type.String({ format: 'date-time', examples: ['2026-05-02T09:30:00+00:00'] });
const ConsentIdSchema = Type.String({
  minLength: 1,
  maxLength: 128,
  examples: ['aac-ea017c28-d999-47d3-b2b7-b686eae57e29'],
});

/** OBReadConsentResponse1 of the standard. */
const ConsentResponseSchema = Type.Object(
  {
    Data: Type.Object({
      ConsentId: ConsentIdSchema,
      CreationDateTime: dateTime,
      Status: Type.String({ enum: consentStatuses }),
      StatusUpdateDateTime: dateTime,
      Permissions: Type.Array(Type.String({ enum: permissionCodes })),
      ExpirationDateTime: Type.Optional(dateTime),
      TransactionFromDateTime: Type.Optional(dateTime),
      TransactionToDateTime: Type.Optional(dateTime),
    }),
    Risk: Type.Object({}, { additionalProperties: false }),
    Links: LinksSchema,
    Meta: MetaSchema,
  },
  { title: 'ReadConsentResponse', description: 'The consent.' },
);
type ConsentResponse = Static<typeof ConsentResponseSchema>;

const declaration: RouteDeclaration = { kind: 'consents' };
const documented = {
  tags: ['Account access consents'],
  security: [{ clientCredentials: ['accounts'] }],
};
const oneConsent = { ...documented, params: Type.Object({ ConsentId: ConsentIdSchema }) };

/** The TPP's side of a consent. Not idempotent, as in the standard. */
@Controller('account-access-consents')
export class ConsentsController {
  constructor(private readonly consents: ConsentService) {}

  @Post()
  @HttpCode(201)
  @RouteConfig({ declaration })
  @RouteSchema({
    summary: 'Create an account access consent',
    description: 'The consent awaits the customer, who approves it at the bank. Not idempotent.',
    ...documented,
    body: ConsentRequestSchema,
    response: { 201: ConsentResponseSchema },
  })
  async create(@Body() terms: ConsentTerms, @Req() request: FastifyRequest): Promise<ConsentResponse> {
    return present(await this.consents.create(terms, tppOf(request)), request);
  }

  @Get(':ConsentId')
  @RouteConfig({ declaration })
  @RouteSchema({
    summary: 'Read an account access consent',
    description: 'Its status, and what it permits until when.',
    ...oneConsent,
    response: { 200: ConsentResponseSchema },
  })
  async get(@Param('ConsentId') consentId: string, @Req() request: FastifyRequest): Promise<ConsentResponse> {
    return present(await this.consents.get(consentId, tppOf(request)), request);
  }

  @Delete(':ConsentId')
  @HttpCode(204)
  @RouteConfig({ declaration })
  @RouteSchema({
    summary: 'Delete an account access consent',
    description: 'Ends the access. Its tokens are of no use any more.',
    ...oneConsent,
    response: { 204: Type.Null({ description: 'Deleted.' }) },
  })
  async delete(@Param('ConsentId') consentId: string, @Req() request: FastifyRequest): Promise<void> {
    await this.consents.delete(consentId, tppOf(request));
  }
}

function present(consent: Consent, { baseUrl }: FastifyRequest): ConsentResponse {
  return {
    Data: {
      ConsentId: consent.consentId,
      CreationDateTime: formatDateTime(consent.createdAt),
      Status: consent.status,
      StatusUpdateDateTime: formatDateTime(consent.statusUpdatedAt),
      Permissions: [...consent.permissions],
      ...(consent.expires && { ExpirationDateTime: consent.expires.text }),
      ...(consent.transactionsFrom && { TransactionFromDateTime: consent.transactionsFrom.text }),
      ...(consent.transactionsTo && { TransactionToDateTime: consent.transactionsTo.text }),
    },
    Risk: {},
    Links: { Self: `${baseUrl}${basePath}/account-access-consents/${consent.consentId}` },
    Meta: {},
  };
}

function tppOf(request: FastifyRequest): string {
  if (request.token === undefined) throw new Error('the request has passed no token check');
  return request.token.clientId;
}
