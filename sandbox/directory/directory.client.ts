import { FaultyStart } from '../faulty-start.js';
import type { Software } from './software.js';

/** The directory, for those who register software with it. */
export class DirectoryClient {
  constructor(
    /** Without a trailing slash. */
    private readonly url: string,
    private readonly credential: string,
  ) {}

  /** Registers the software, and gives the directory's statement of it. */
  async statement(software: Software): Promise<string> {
    const answer = await this.ask('POST', '/software-statements', software);
    const { software_statement: statement } = (await answer.json()) as { readonly software_statement?: string };
    if (statement === undefined) throw new FaultyStart(`the directory at ${this.url} answered ${answer.status}`);
    return statement;
  }

  /** Removes the software from the directory. */
  async withdraw(softwareId: string): Promise<void> {
    const { status } = await this.ask('DELETE', `/software/${encodeURIComponent(softwareId)}`);
    if (status !== 204) throw new FaultyStart(`the directory at ${this.url} answered ${status}`);
  }

  private ask(method: string, path: string, body?: unknown): Promise<Response> {
    return fetch(this.url + path, {
      method,
      headers: {
        authorization: `Bearer ${this.credential}`,
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    }).catch(() => {
      throw new FaultyStart(`nothing answers at ${new URL(this.url).origin}: start the stack with npm start`);
    });
  }
}
