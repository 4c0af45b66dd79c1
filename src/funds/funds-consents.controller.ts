import { Body, Controller, Delete, Get, HttpCode, Param, Post, Req } from '@nestjs/common';
import type { FastifyRequest, FastifySchema } from 'fastify';
import { Type } from 'typebox';
import { BankClock } from '../clock/clock.js';
import { stateOf } from '../consents/access.policy.js';
import type { FundsTerms } from '../consents/consent-request.js';
import { consentOf, versionOf } from '../consents/consent-of-request.js';
import { ConsentService } from '../consents/consent.service.js';
import type { Consent } from '../consents/consent.js';
import type { ApiVersion } from '../endpoint/api-version.js';
import { linksSchema, MetaSchema } from '../endpoint/envelope.js';
import { MountAt, type MountedRoute } from '../endpoint/mount-at.decorator.js';
import { ConsentIdSchema } from '../open-banking/schemas.js';
import { scopeOfKind } from '../open-banking/scopes.js';
import { versions } from '../versions/versions.js';
import { DebtorAccounts } from './debtor-accounts.js';

const kind = 'funds-confirmation';
const responseSchema = (version: ApiVersion) =>
  Type.Object(
    { Data: version.funds.answer, Links: linksSchema(version), Meta: MetaSchema },
    { title: 'FundsConfirmationConsentResponse', description: 'The consent.' },
  );
const params = Type.Object({ ConsentId: ConsentIdSchema });

/** A route of these consents in every version. */
function inEveryVersion(path: '' | '/:ConsentId', schema: (version: ApiVersion) => FastifySchema): MountedRoute[] {
  return versions.map((version) => ({
    path: `${consentsPath(version)}${path}`,
    declaration: { kind: 'consents', consentKind: kind, name: 'funds-confirmation-consents', version },
    schema: {
      tags: ['Funds confirmation consents'],
      security: [{ clientCredentials: [scopeOfKind[kind]] }],
      ...schema(version),
    },
  }));
}

function consentsPath({ fundsPath }: ApiVersion): string {
  return `${fundsPath}/funds-confirmation-consents`;
}

/** The TPP's side of a consent for confirmation of funds. Not idempotent, as in the standard. */
@Controller()
export class FundsConsentsController {
  constructor(
    private readonly consents: ConsentService,
    private readonly accounts: DebtorAccounts,
    private readonly clock: BankClock,
  ) {}

  @MountAt(
    Post,
    inEveryVersion('', (version) => ({
      summary: 'Create a funds confirmation consent',
      description:
        'The consent is for one account, which the request names. It awaits the customer, who approves it at the bank. Not idempotent.',
      body: version.funds.request,
      response: { 201: responseSchema(version) },
    })),
  )
  @HttpCode(201)
  async create(@Body() terms: FundsTerms, @Req() request: FastifyRequest): Promise<object> {
    const { tpp } = request.context.verifiedToken();
    const debtorAccount = await this.accounts.find(terms.debtor, request);
    const asked = { kind, permissions: [], debtorAccount, ...terms } as const;
    return this.present(await this.consents.create(asked, tpp, versionOf(request).name), request);
  }

  @MountAt(
    Get,
    inEveryVersion('/:ConsentId', (version) => ({
      summary: 'Read a funds confirmation consent',
      description: 'The status of the consent, its account and its end.',
      params,
      response: { 200: responseSchema(version) },
    })),
  )
  async get(@Param('ConsentId') consentId: string, @Req() request: FastifyRequest): Promise<object> {
    return this.present(await consentOf(request, this.consents, consentId, kind), request);
  }

  @MountAt(
    Delete,
    inEveryVersion('/:ConsentId', () => ({
      summary: 'Delete a funds confirmation consent',
      description: 'Ends the access. Its tokens are not valid any more.',
      params,
      response: { 204: Type.Null({ description: 'Deleted.' }) },
    })),
  )
  @HttpCode(204)
  async delete(@Param('ConsentId') consentId: string, @Req() request: FastifyRequest): Promise<void> {
    await this.consents.delete(await consentOf(request, this.consents, consentId, kind));
  }

  private present(consent: Consent, request: FastifyRequest): object {
    const version = versionOf(request);
    return {
      Data: version.funds.toData(consent, stateOf(consent, this.clock.nowMs())),
      Links: { Self: `${request.context.linkBase()}${consentsPath(version)}/${consent.consentId}` },
      Meta: {},
    };
  }
}
