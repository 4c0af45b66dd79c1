import { readFile } from 'node:fs/promises';
import { FaultyStart, codeOf, unusable } from '../faulty-start.js';
import { replaceFile } from '../kept-file.js';
import type { Software } from './software.js';

const most = 1_000;

/** The software that the directory knows: in memory, and in a file where one is named, for the next start. */
export class SoftwareRegister {
  private readonly software = new Map<string, Software>();
  /** The pending write. Writes run one after the other, so that the last one stays. */
  private written = Promise.resolve();

  constructor(private readonly file?: string) {}

  /** A {@link FaultyStart} where the file is there and cannot be read. */
  static async open(file: string): Promise<SoftwareRegister> {
    const register = new SoftwareRegister(file);
    try {
      const all = JSON.parse(await readFile(file, 'utf8')) as Software[];
      for (const software of all) register.software.set(software.softwareId, software);
    } catch (error) {
      if (error instanceof SyntaxError)
        throw new FaultyStart(
          `${file} cannot be read as software: remove it, and TPPs register with the directory again`,
        );
      if (codeOf(error) !== 'ENOENT') throw unusable(file, error);
    }
    return register;
  }

  find(softwareId: string): Software | undefined {
    return this.software.get(softwareId);
  }

  ofOrganisation(organisationId: string): readonly Software[] {
    return [...this.software.values()].filter(({ organisation }) => organisation.organisationId === organisationId);
  }

  /** Replaces the earlier entry of the software. The oldest entry makes room for a new one. */
  put(software: Software): Promise<void> {
    this.software.delete(software.softwareId);
    this.software.set(software.softwareId, software);
    for (const oldest of this.software.keys()) {
      if (this.software.size <= most) break;
      this.software.delete(oldest);
    }
    return this.save();
  }

  remove(softwareId: string): Promise<void> {
    this.software.delete(softwareId);
    return this.save();
  }

  private save(): Promise<void> {
    const { file } = this;
    if (file === undefined) return Promise.resolve();
    const content = JSON.stringify([...this.software.values()]);
    const saved = this.written.then(() => replaceFile(file, content));
    this.written = saved.catch(() => undefined);
    return saved;
  }
}
