import { Controller } from '@nestjs/common';
import { ConsentedAccount, GetResource, type ResourceRequest } from '../../endpoint/get-resource.decorator.js';
import { ResourceReader } from '../../endpoint/resource-reader.js';
import { withinHistory, type DateRange } from '../../open-banking/date-range.js';
import { statements } from './statements.endpoint.js';
import { liesWithin } from './statement.mapper.js';
import type { Statement } from './statement.schema.js';

@Controller()
export class StatementsController {
  constructor(private readonly reader: ResourceReader) {}

  /** The core adapter gives the latest cycle and no other; only then the consented history and the filter decide. */
  @GetResource(statements)
  list(@ConsentedAccount() to: ResourceRequest<DateRange>): Promise<Statement[]> {
    const range = withinHistory(to.filter, to.grant.history);
    return this.reader.list(statements, to, (statement) => liesWithin(statement, range));
  }
}
