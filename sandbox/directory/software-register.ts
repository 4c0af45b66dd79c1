import { KeptFile, readKeptJson } from '../kept-file.js';
import type { Software } from './software.js';

const most = 1_000;

/** The software that the directory knows: in memory, and in a file where one is named, for the next start. */
export class SoftwareRegister {
  private readonly software = new Map<string, Software>();

  constructor(private readonly file?: KeptFile) {}

  /** Throws a `FaultyStart` where the file is there and cannot be read. */
  static async open(file: string): Promise<SoftwareRegister> {
    const register = new SoftwareRegister(new KeptFile(file));
    const otherwise = 'as software: remove it, and TPPs register with the directory again';
    for (const software of (await readKeptJson<Software[]>(file, otherwise)) ?? [])
      register.software.set(software.softwareId, software);
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

  private async save(): Promise<void> {
    await this.file?.replace(JSON.stringify([...this.software.values()]));
  }
}
