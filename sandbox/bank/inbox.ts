/** A one-time code on its way to a customer, as if by text message. */
export interface CodeMessage {
  readonly loginName: string;
  readonly displayName: string;
  readonly code: string;
  readonly sentAtMs: number;
  readonly goodUntilMs: number;
}

const kept = 50;

/** The phones of all customers in one list: the latest messages, newest first. */
export class Inbox {
  private sent: readonly CodeMessage[] = [];

  deliver(message: CodeMessage): void {
    this.sent = [message, ...this.sent].slice(0, kept);
  }

  /** The messages to all customers, or to the customer with this login name. */
  messages(loginName?: string): readonly CodeMessage[] {
    return this.sent.filter((message) => loginName === undefined || message.loginName === loginName);
  }
}
