import { Body, Controller, HttpCode, Post, Req } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { linksSchema, MetaSchema } from '../endpoint/envelope.js';
import { MountAt } from '../endpoint/mount-at.decorator.js';
import { scopeOfKind } from '../open-banking/scopes.js';
import {
  confirmationData,
  FundsConfirmationAnswerSchema,
  FundsConfirmationSchema,
  type FundsConfirmation,
} from '../versions/shared/funds.js';
import { versions } from '../versions/versions.js';
import { FundsService } from './funds.service.js';

const path = '/funds-confirmations';

/** Answers yes or no to a TPP that asks whether an amount can be spent. */
@Controller()
export class FundsConfirmationsController {
  constructor(private readonly funds: FundsService) {}

  @MountAt(
    Post,
    versions.map((version) => ({
      path: `${version.fundsPath}${path}`,
      declaration: { kind: 'funds-check', name: 'funds-confirmations', version },
      schema: {
        tags: ['Confirmation of funds'],
        security: [{ consentToken: [scopeOfKind['funds-confirmation']] }],
        summary: 'Ask whether funds are available',
        description:
          'Answers whenever the consent is live, also without the customer. Blocks no funds. Not idempotent: each request has another Reference.',
        body: FundsConfirmationSchema,
        response: {
          201: Type.Object(
            { Data: FundsConfirmationAnswerSchema, Links: linksSchema(version), Meta: MetaSchema },
            { title: 'FundsConfirmationResponse', description: 'Yes or no.' },
          ),
        },
      },
    })),
  )
  @HttpCode(201)
  async confirm(@Body() asked: FundsConfirmation, @Req() request: FastifyRequest): Promise<object> {
    const { declaration } = request;
    if (declaration?.kind !== 'funds-check') throw new Error('the route is not declared as a check of funds');
    const confirmed = await this.funds.confirm(asked, request);
    return {
      Data: confirmationData(asked, confirmed),
      Links: { Self: `${request.context.linkBase()}${declaration.version.fundsPath}${path}` },
      Meta: {},
    };
  }
}
