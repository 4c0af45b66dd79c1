import { Body, Controller, Delete, Get, HttpCode, Inject, Param, Post, Req } from '@nestjs/common';
import type { FastifyRequest, FastifySchema } from 'fastify';
import { Type } from 'typebox';
import { BankClock } from '../clock/clock.js';
import { ConsentIdSchema } from '../open-banking/schemas.js';
import type { ApiVersion } from '../endpoint/api-version.js';
import { linksSchema, MetaSchema } from '../endpoint/envelope.js';
import { MountAt, type MountedRoute } from '../endpoint/mount-at.decorator.js';
import { PROFILE, type Profile } from '../profiles/profile.js';
import { versions } from '../versions/versions.js';
import { stateOf } from './access.policy.js';
import type { Consent } from './consent.js';
import { consentOf, versionOf } from './consent-of-request.js';
import type { ConsentTerms } from './consent-request.js';
import { ConsentService } from './consent.service.js';

const responseSchema = (version: ApiVersion) =>
  Type.Object(
    {
      Data: version.consent.answer,
      Risk: Type.Object({}, { additionalProperties: false }),
      Links: linksSchema(version),
      Meta: MetaSchema,
    },
    { title: 'ReadConsentResponse', description: 'The consent.' },
  );
const params = Type.Object({ ConsentId: ConsentIdSchema });

/** A route of consents in every version. */
function inEveryVersion(path: '' | '/:ConsentId', schema: (version: ApiVersion) => FastifySchema): MountedRoute[] {
  return versions.map((version) => ({
    path: `${consentsPath(version)}${path}`,
    declaration: { kind: 'consents', consentKind: 'account-access', name: 'account-access-consents', version },
    schema: { tags: ['Account access consents'], security: [{ clientCredentials: ['accounts'] }], ...schema(version) },
  }));
}

function consentsPath({ basePath }: ApiVersion): string {
  return `${basePath}/account-access-consents`;
}

/** The TPP's side of a consent. Not idempotent, as in the standard. */
@Controller()
export class ConsentsController {
  constructor(
    private readonly consents: ConsentService,
    private readonly clock: BankClock,
    @Inject(PROFILE) private readonly profile: Pick<Profile, 'rules'>,
  ) {}

  @MountAt(
    Post,
    inEveryVersion('', (version) => ({
      summary: 'Create an account access consent',
      description: 'The consent awaits the customer, who approves it at the bank. Not idempotent.',
      body: version.consent.request,
      response: { 201: responseSchema(version) },
    })),
  )
  @HttpCode(201)
  async create(@Body() terms: ConsentTerms, @Req() request: FastifyRequest): Promise<object> {
    const { tpp } = request.context.verifiedToken();
    return this.present(
      await this.consents.create({ kind: 'account-access', ...terms }, tpp, versionOf(request).name),
      request,
    );
  }

  @MountAt(
    Get,
    inEveryVersion('/:ConsentId', (version) => ({
      summary: 'Read an account access consent',
      description: 'The status of the consent, its permissions and its dates.',
      params,
      response: { 200: responseSchema(version) },
    })),
  )
  async get(@Param('ConsentId') consentId: string, @Req() request: FastifyRequest): Promise<object> {
    return this.present(await consentOf(request, this.consents, consentId, 'account-access'), request);
  }

  @MountAt(
    Delete,
    inEveryVersion('/:ConsentId', () => ({
      summary: 'Delete an account access consent',
      description: 'Ends the access. Its tokens are no longer valid.',
      params,
      response: { 204: Type.Null({ description: 'Deleted.' }) },
    })),
  )
  @HttpCode(204)
  async delete(@Param('ConsentId') consentId: string, @Req() request: FastifyRequest): Promise<void> {
    await this.consents.delete(await consentOf(request, this.consents, consentId, 'account-access'));
  }

  private present(consent: Consent, request: FastifyRequest): object {
    const version = versionOf(request);
    return {
      Data: version.consent.toData(consent, stateOf(consent, this.clock.nowMs()), this.profile.rules),
      Risk: {},
      Links: { Self: `${request.context.linkBase()}${consentsPath(version)}/${consent.consentId}` },
      Meta: {},
    };
  }
}
