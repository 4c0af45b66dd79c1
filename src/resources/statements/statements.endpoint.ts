import { declareEndpoint } from '../../endpoint/endpoint-declaration.js';
import { nearDates } from '../../endpoint/near-parameters.js';
import { readDateRange } from '../../open-banking/date-range.js';
import { toStatement } from './statement.mapper.js';
import { StatementSchema } from './statement.schema.js';

const from = 'fromStatementDateTime';
const to = 'toStatementDateTime';

export const statements = declareEndpoint({
  name: 'statements',
  path: '/accounts/:AccountId/statements',
  read: 'statements',
  permissions: [['ReadStatementsBasic', 'ReadStatementsDetail']],
  window: 'always',
  collection: 'Statement',
  schema: StatementSchema,
  query: {
    parameters: {
      [from]: 'ISO 8601; only a statement that starts at or after it.',
      [to]: 'ISO 8601; only a statement that ends within or before it.',
    },
    nearMisses: {
      [from]: [...nearDates.from, 'fromStatementDate', 'fromBookingDateTime'],
      [to]: [...nearDates.to, 'toStatementDate', 'toBookingDateTime'],
    },
    read: (query) => readDateRange(query, from, to),
  },
  summary: 'The latest statement cycle of a credit card',
  map: toStatement,
});
