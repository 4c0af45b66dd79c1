import { declareRule } from '../../endpoint/endpoint-rule.js';
import { nearDates } from '../../endpoint/near-parameters.js';
import { readDateRange } from '../../open-banking/date-range.js';
import { statementFields } from './statement.mapper.js';

const from = 'fromStatementDateTime';
const to = 'toStatementDateTime';

export const statements = declareRule({
  name: 'statements',
  read: 'statements',
  permissions: [['ReadStatementsBasic', 'ReadStatementsDetail']],
  window: 'always',
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
  fields: statementFields,
  summary: 'The latest statement cycle of a credit card',
});
