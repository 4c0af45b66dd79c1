import { describe, expect, it } from '@jest/globals';
import { dialectOf } from './dialects.js';

// The drivers are no packages of the gateway.
describe('a dialect whose driver the bank has not installed', () => {
  it.each([
    ['sqlserver', 'CORE_URL names sqlserver, whose driver tedious is not installed: npm install tedious@19'],
    ['oracle', 'CORE_URL names oracle, whose driver oracledb is not installed: npm install oracledb@26'],
  ])('refuses to start in one line that names the package and the command: %s', async (scheme, message) => {
    await expect(dialectOf(scheme)).rejects.toMatchObject({ name: 'CoreSettingFault', message });
  });

  it('is not loaded for PostgreSQL', async () => {
    await expect(dialectOf('postgresql')).resolves.toMatchObject({ ping: 'SELECT 1' });
  });
});
