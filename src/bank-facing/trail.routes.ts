import { Inject, Injectable } from '@nestjs/common';
import type { FastifyInstance } from 'fastify';
import { Type, type Static } from 'typebox';
import { GATEWAY_CONFIG, type GatewayConfig } from '../config/config.js';
import { OpenBankingError } from '../open-banking/errors.js';
import { customerReport } from '../trail/customer-report.js';
import { pseudonymOfCustomer } from '../trail/pseudonyms.js';
import { SegmentScan } from '../trail/segment-scan.js';
import { why } from '../trail/why.js';
import { answer, readErrors } from './bank-facing.schema.js';
import { instantOf } from './stated-instant.js';
import { presentCustomer, presentWhy } from './trail.mapper.js';
import { CustomerOfTrail, CustomerQuery, Why, WhyParams } from './trail.schema.js';

const secured = { tags: ['Trail'] };
const limit =
  'This gateway looks through the latest 256 MiB of its own trail; `Looked` says how far it came. `npm run trail` ' +
  'searches the whole trail of every machine.';
const schemas = {
  why: {
    ...secured,
    operationId: 'explainDecision',
    summary: 'Why the gateway answered so',
    description: `Each event with this id: each check in its order, where it stopped, the reason and the remedy. ${limit}`,
    params: WhyParams,
    response: { 200: answer('The events with the id; none where the search did not find it.', Why), ...readErrors },
  },
  customer: {
    ...secured,
    operationId: 'readCustomersTrail',
    summary: 'Who read a customer’s data',
    description: `The TPPs, endpoints and consents, deleted ones included. ${limit}`,
    params: Type.Object({ customerRef: Type.String() }),
    querystring: CustomerQuery,
    response: { 200: answer('The requests and consents.', CustomerOfTrail), ...readErrors },
  },
};

/** The questions to the trail that the bank's systems ask a gateway; `operations/` has all of them. */
@Injectable()
export class TrailRoutes {
  private readonly pseudonymKeys: readonly string[];

  constructor(
    private readonly search: SegmentScan,
    @Inject(GATEWAY_CONFIG) { trail }: Pick<GatewayConfig, 'trail'>,
  ) {
    this.pseudonymKeys = [trail.pseudonymKey, ...trail.pseudonymKeysBefore];
  }

  declare(bank: FastifyInstance): void {
    const { search, pseudonymKeys } = this;
    bank.get<{ Params: Static<typeof WhyParams> }>(
      '/trail/why/:id',
      { schema: schemas.why },
      async ({ params, signal }) => presentWhy(await why(search.by(signal), readId(params.id))),
    );
    bank.get<{ Params: { customerRef: string }; Querystring: Static<typeof CustomerQuery> }>(
      '/customers/:customerRef/trail',
      { schema: schemas.customer },
      async ({ params: { customerRef }, query: { from, to }, signal }) => {
        const pseudonyms = pseudonymKeys.map((key) => pseudonymOfCustomer(key, customerRef));
        const time = { ...trailTime('from', from), ...trailTime('to', to) };
        return presentCustomer(await customerReport(search.by(signal), pseudonyms, time));
      },
    );
  }
}

/** Any other text could be in every line, each of which would be read. */
function readId(id: string): string {
  if (/^[0-9A-Za-z-]{8,64}$/.test(id)) return id;
  throw new OpenBankingError('field-invalid', {
    message: 'This is neither an interaction id nor the id of an error.',
    path: 'id',
  });
}

/** As the trail writes times. */
function trailTime(name: 'from' | 'to', text: string | undefined): { from?: string; to?: string } {
  return text === undefined ? {} : { [name]: new Date(instantOf(name, text)).toISOString() };
}
