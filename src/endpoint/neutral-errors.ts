import { Type } from 'typebox';
import { errorTable, type ErrorCodes } from '../open-banking/error-table.js';
import type { ErrorForm } from './api-version.js';
import { errorSchema } from './envelope.js';

/** By the names of the error table, which belong to no version. */
const codes = {
  ...Object.fromEntries(Object.keys(errorTable).map((kind) => [kind, kind])),
  unauthorised: undefined,
  'token-expired': undefined,
} as ErrorCodes;

/** Errors of the bank's port, and of addresses that lie below no version that the gateway serves. */
export const neutralErrors: ErrorForm = {
  codes,
  schema: errorSchema(Type.String({ pattern: '^[a-z-]+$' })),
  toBody: ({ id, message, faults }) => ({ Id: id, Message: message, Errors: faults }),
};
