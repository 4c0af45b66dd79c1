import { Injectable } from '@nestjs/common';
import type { FastifyInstance } from 'fastify';
import type { Static } from 'typebox';
import { SegmentScan } from '../trail/segment-scan.js';
import { why } from '../trail/why.js';
import { answer, readErrors } from './bank-facing.schema.js';
import { presentWhy } from './trail.mapper.js';
import { Why, WhyParams } from './trail.schema.js';

const secured = { tags: ['Trail'] };
const limit =
  'This gateway searches the latest 256 MiB of its own trail; `Searched` names the days that it read. `npm run ops -- trail` ' +
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
};

/** The question to the trail that the bank's systems ask a gateway; `operations/` has all of them. */
@Injectable()
export class TrailRoutes {
  constructor(private readonly search: SegmentScan) {}

  declare(bank: FastifyInstance): void {
    bank.get<{ Params: Static<typeof WhyParams> }>(
      '/trail/why/:id',
      { schema: schemas.why },
      async ({ params, signal }) => presentWhy(await why(this.search.by(signal), params.id)),
    );
  }
}
