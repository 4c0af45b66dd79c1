import { CoreSettingFault } from '../../../../packages/core-adapter/core-settings.js';

/** The version of each driver that the tests use. */
export const drivers = { tedious: '19', oracledb: '26' } as const;

/**
 * Loads the driver of a dialect. It is no dependency of the gateway: a bank installs the one that it uses.
 * @throws CoreSettingFault where it is not installed
 */
export async function loadDriver<Driver>(scheme: string, name: keyof typeof drivers): Promise<Driver> {
  let module: { readonly default: Driver };
  try {
    // A bundler that cannot read the name leaves the package outside.
    module = (await import(String(name))) as { readonly default: Driver };
  } catch (error) {
    if (!isMissing(error, name)) throw error;
    const command = `npm install ${name}@${drivers[name]}`;
    throw new CoreSettingFault('CORE_URL', `names ${scheme}, whose driver ${name} is not installed: ${command}`);
  }
  return module.default;
}

/** Not where a package that the driver needs is missing. */
function isMissing(error: unknown, name: string): boolean {
  const { code, message } = error as { readonly code?: string; readonly message?: string };
  return code === 'ERR_MODULE_NOT_FOUND' && message?.includes(`'${name}'`) === true;
}
