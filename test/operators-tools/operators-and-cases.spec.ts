import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { readOperatorAddress } from '../../src/config/bank-address.js';
import { opsCommands, shellWords } from '../support/documents.js';
import { opsCommand } from '../support/ops-command.js';
import { portOf } from '../support/raw-http.js';
import { bankCredential, Stack } from '../support/stack.js';

const commands = ['operators', 'cases'].flatMap((tool) =>
  opsCommands('operators-and-cases', tool).map((words) => [tool, words] as const),
);

/** In the order of the documents, to a gateway with TWO_PERSONS. */
describe('the documented commands about operators and cases', () => {
  let stack: Stack;
  const credentials: Record<string, string> = {};
  let consentId = '';
  let proposalId = '';
  const subjects: Record<string, string> = {};
  const outcomes: { readonly words: string; readonly code: number; readonly said: string }[] = [];
  beforeAll(async () => {
    stack = await Stack.start({ config: { twoPersons: true } });
    await stack.gateway.bankServer.listen({ host: '127.0.0.1', port: 0 });
    const given = await stack.consent({ persona: 'saver', clientId: 'moneyview' });
    consentId = given.consentId;
    await stack.consent({ persona: 'complete', clientId: 'moneyview' });
    // The page's customer and account are those of this bank.
    Object.assign(subjects, { C1001: given.customerRef, A100101: given.accounts[0]?.ref });
    for (const [tool, words] of commands) outcomes.push({ words, ...(await carryOut(tool, words)) });
  });
  afterAll(() => stack.close());

  async function run(tool: string, line: string, as?: string): Promise<readonly [number, string]> {
    const settings = {
      BANK_PORT: String(portOf(stack.gateway.bankServer)),
      BANK_CREDENTIAL: bankCredential,
      ...(as !== undefined && { OPERATOR_CREDENTIAL: credentials[as] }),
    };
    const given = shellWords(line).map(
      (word) => ({ ...subjects, $CONSENT_ID: consentId, $PROPOSAL_ID: proposalId })[word] ?? word,
    );
    const operator = () => readOperatorAddress(settings);
    const { code, text, told } = await opsCommand([tool, ...given], { operator, operatorOnly: operator });
    return [code, text + told.join('\n')];
  }

  async function carryOut(tool: string, words: string): Promise<{ readonly code: number; readonly said: string }> {
    const isFirst = credentials['anna'] === undefined;
    const [code, said] = await run(tool, words, isFirst ? undefined : words.startsWith('withdraw') ? 'second' : 'anna');
    if (words.startsWith('add anna')) {
      credentials['anna'] = /credential: (\S+)/.exec(said)?.[1] ?? '';
      const second = await run('operators', 'add second --role withdraw', 'anna');
      credentials['second'] = /credential: (\S+)/.exec(second[1])?.[1] ?? '';
    }
    if (words.includes('--tpp')) proposalId = /cases approve (\S+)/.exec(said)?.[1] ?? '';
    return { code, said };
  }

  it('are these', () => {
    expect(commands.map(([tool, words]) => `${tool} ${words.split(' ')[0]}`)).toEqual([
      'operators add',
      'operators add',
      'operators list',
      'operators remove',
      'cases find',
      'cases timeline',
      'cases withdraw',
      'cases withdraw',
      'cases withdraw',
      'cases proposals',
      'cases approve',
    ]);
  });

  it('are carried out, one after the other', () => {
    for (const { words, code, said } of outcomes) {
      expect([words, code, said]).toEqual([words, 0, expect.any(String)]);
      if (words.startsWith('timeline')) expect(said).toContain('authorised by customer');
      if (words.startsWith('proposals')) expect(said).toContain(`${proposalId}  withdrawal of TPP moneyview`);
      if (words.startsWith('approve')) expect(said).toMatch(/^1 consent ended at /);
    }
  });

  it('say which subject they need', async () => {
    for (const words of ['find', 'find --customer a --account b', 'withdraw --customer a'])
      expect((await run('cases', words, 'anna'))[0]).toBe(2);
    expect(await run('cases', 'find --customer unknown', 'anna')).toEqual([
      0,
      expect.stringContaining('No consent was found'),
    ]);
    expect(await run('cases', 'withdraw --customer C9999 --reason fraud', 'second')).toEqual([
      1,
      expect.stringContaining('No consent was found'),
    ]);
    expect(await run('cases', `timeline ${consentId}x`, 'anna')).toEqual([
      1,
      'There is no consent with this id, or it was deleted.',
    ]);
  });
});
