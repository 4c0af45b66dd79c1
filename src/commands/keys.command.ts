import type { BankClient } from './bank.client.js';
import { UsageError, type CommandOutput } from './command.js';

interface Key {
  readonly KeyId: string;
  readonly Algorithm: string;
  readonly SignsFromDateTime: string;
  readonly PublishedUntilDateTime?: string;
}

/** `keys rotate` */
export async function keysCommand(operands: readonly string[], bank: () => BankClient): Promise<CommandOutput> {
  if (operands.join(' ') !== 'rotate') throw new UsageError();
  const { Keys } = (await bank().call('POST', '/signing-keys/rotate')) as { Keys: readonly Key[] };
  return { json: Keys, text: Keys.map(line).join('\n') };
}

function line({ KeyId, Algorithm, SignsFromDateTime, PublishedUntilDateTime: end }: Key): string {
  return `${Algorithm}  ${KeyId}  signs from ${SignsFromDateTime}${end === undefined ? '' : `, published until ${end}`}`;
}
