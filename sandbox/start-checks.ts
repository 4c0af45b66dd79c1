import { randomBytes } from 'node:crypto';
import { BootError } from '../src/config/boot-error.js';
import { loadConfig } from '../src/config/load-config.js';
import { refuseUnknownProfile } from '../src/profiles/load-profile.js';
import { refuseCoreWithoutCustomers } from './customers-of-core.js';
import { FaultyStart } from './faulty-start.js';
import { refuseTakenPorts } from './free-ports.js';
import { type SandboxConfig, readSandboxConfig } from './sandbox.config.js';
import { secretsOf, stackEnvironment } from './stack-environment.js';

/** Why the stack could not start with the settings and the ports of this process, before it is built; in one line. */
export async function faultOfStart(profiles: readonly string[]): Promise<string | undefined> {
  try {
    const config = readSandboxConfig();
    refuseCoreWithoutCustomers(config);
    refuseWorkers(config);
    refuseUnknownProfile(config.profile, profiles);
    await refuseTakenPorts(config);
    // In the place of the secrets that the start will make.
    const secrets = await secretsOf(config, () => randomBytes(32).toString('hex'));
    loadConfig(stackEnvironment(config, secrets));
    return undefined;
  } catch (error) {
    if (error instanceof FaultyStart || error instanceof BootError) return error.message;
    throw error;
  }
}

/** The sandbox moves the bank's time on in one process. */
function refuseWorkers({ environment }: SandboxConfig): void {
  if ((environment['WORKERS'] || '1') !== '1')
    throw new FaultyStart('WORKERS must be 1 in the sandbox: use more with npm run start:gateway');
}
