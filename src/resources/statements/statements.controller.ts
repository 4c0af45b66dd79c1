import { Controller } from '@nestjs/common';
import { AccountEndpoint, ConsentedAccount, type ResourceRequest } from '../../http/account-endpoint.decorator.js';
import { ResourceReader } from '../../http/resource-reader.js';
import { readDateRange, withinHistory, type DateRange } from '../../open-banking/date-range.js';
import { StatementSchema, type Statement } from './statement.dto.js';
import { liesWithin, toStatement } from './statement.mapper.js';

const from = 'fromStatementDateTime';
const to = 'toStatementDateTime';

@Controller()
export class StatementsController {
  constructor(private readonly reader: ResourceReader) {}

  /** The core adapter gives the latest cycle and no other; only then the consented history and the filter decide. */
  @AccountEndpoint({
    endpoint: 'statements',
    collection: 'Statement',
    schema: StatementSchema,
    window: 'always',
    summary: 'The latest statement cycle of a credit card',
    query: {
      parameters: {
        [from]: 'ISO 8601; only a statement that starts at or after it.',
        [to]: 'ISO 8601; only a statement that ends within or before it.',
      },
      read: (query) => readDateRange(query, from, to),
    },
  })
  list(@ConsentedAccount() request: ResourceRequest<DateRange>): Promise<Statement[]> {
    const range = withinHistory(request.filter, request.grant.history);
    const view = {
      accountId: request.account.accountId,
      detail: request.grant.permissions.has('ReadStatementsDetail'),
      signed: this.reader.settings.amounts === 'signed',
    };
    return this.reader.read('statements', request, (statement) =>
      liesWithin(statement, range) ? toStatement(statement, view) : undefined,
    );
  }
}
