import { Controller } from '@nestjs/common';
import { ResourceReader } from '../../endpoint/resource-reader.js';
import { ConsentedAccount, type ResourceRequest } from '../../endpoint/resource-request.js';
import { limitedToHistory } from '../../open-banking/date-range.js';
import { GetResource } from '../get-resource.decorator.js';
import { statements } from './statements.endpoint.js';
import { liesWithin } from './statement.mapper.js';

@Controller()
export class StatementsController {
  constructor(private readonly reader: ResourceReader) {}

  /** The core adapter returns only the latest cycle. Only then the consented history and the filter decide. */
  @GetResource(statements)
  async list(@ConsentedAccount() to: ResourceRequest<typeof statements>): Promise<unknown[]> {
    const range = limitedToHistory(to.filter, to.grant.history);
    return this.reader.resources(to, await this.reader.read(to), (statement) => liesWithin(statement, range));
  }
}
