import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { FaultyStart } from './faulty-start.js';
import { forgetRunningStack, runningStackFile, writeRunningStack, withRunningStack } from './running-stack.js';

const ports = { PORT: '4000', BANK_PORT: '4001', SANDBOX_PORT: '4002' };
const credential = 'a-credential-of-the-stack-0123456789';

describe('the file by which commands find a running stack', () => {
  let dataDir: string;
  beforeEach(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'running-stack-'));
  });
  afterEach(() => rm(dataDir, { recursive: true }));

  /** The id of a process that has ended and been reaped. */
  async function goneId(): Promise<number> {
    const child = spawn(process.execPath, ['--version'], { stdio: 'ignore' });
    await once(child, 'exit');
    return child.pid ?? 0;
  }

  it('gives ports and credential to a command that knows the data directory alone', async () => {
    await writeRunningStack(dataDir, { ...ports, BANK_CREDENTIAL: credential, KEY_ENCRYPTION_KEY: 'k' }, process.pid);
    expect(await withRunningStack({ DATA_DIR: dataDir })).toEqual({
      DATA_DIR: dataDir,
      ...ports,
      BANK_CREDENTIAL: credential,
    });
  });

  it('gives way to settings of the environment, but not to empty ones', async () => {
    await writeRunningStack(dataDir, ports, process.pid);
    expect(await withRunningStack({ DATA_DIR: dataDir, PORT: '5000', BANK_PORT: ' ' })).toMatchObject({
      ...ports,
      PORT: '5000',
    });
  });

  it('is readable by its owner only, and no draft of it stays', async () => {
    await writeRunningStack(dataDir, ports, process.pid);
    await writeRunningStack(dataDir, ports, process.pid);
    const file = runningStackFile(dataDir);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect(await readdir(dirname(file))).toEqual(['stack.json']);
  });

  it('is removed by the stack that wrote it, and by no other', async () => {
    await writeRunningStack(dataDir, ports, process.pid);
    await forgetRunningStack(dataDir, process.pid + 1);
    expect(await withRunningStack({ DATA_DIR: dataDir })).toMatchObject(ports);
    await forgetRunningStack(dataDir, process.pid);
    await forgetRunningStack(dataDir, process.pid);
    expect(await withRunningStack({ DATA_DIR: dataDir })).toEqual({ DATA_DIR: dataDir });
  });

  it('that a killed stack left behind is reported with the remedy', async () => {
    const gone = await goneId();
    await writeRunningStack(dataDir, ports, gone);
    const error: unknown = await withRunningStack({ DATA_DIR: dataDir }).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(FaultyStart);
    expect((error as Error).message).toBe(
      `the stack of ${dataDir} was killed (process ${gone} does not run, its file ${runningStackFile(dataDir)} is still there): start it again with npm start`,
    );
    const other = { DATA_DIR: dataDir, BANK_CREDENTIAL: 'of-a-stack-elsewhere' };
    expect(await withRunningStack(other)).toEqual(other);
  });

  it('that is not there leaves the environment as it is; one that cannot be read is named', async () => {
    expect(await withRunningStack({ DATA_DIR: '/nowhere' })).toEqual({ DATA_DIR: '/nowhere' });
    await writeRunningStack(dataDir, ports, process.pid);
    await writeFile(runningStackFile(dataDir), '{');
    await expect(withRunningStack({ DATA_DIR: dataDir })).rejects.toThrow(/stack\.json cannot be read .* npm start$/);
  });
});
