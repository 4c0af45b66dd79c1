import type { ApiVersion } from '../endpoint/api-version.js';
import { errorCodes } from './v3.1.errors.js';

export const v3_1: ApiVersion = {
  name: 'v3.1',
  release: '3.1.11',
  basePath: '/open-banking/v3.1/aisp',
  errorCodes,
  errorCodePattern: '^UK\\.[A-Za-z0-9]+\\.[A-Za-z.]+$',
};
