import type { VersionName } from '../../src/versions/versions.js';
import type { Debtor } from '../bank/debtor.js';
import { servedFundsVersions } from '../clients/published-facts.js';
import type { Stack } from '../clients/stack.js';
import { FaultyStart } from '../faulty-start.js';
import { type PersonaSummary, personaWithAccounts } from './bank.js';
import { authorise, postAsTpp, publishedFacts, token } from './consent.js';

const scope = 'fundsconfirmations';

export interface FundsOptions {
  /** The name, or the core's reference. */
  readonly persona: string;
  /** The reference of the account. Default: the first that a TPP can name. */
  readonly account?: string;
  readonly amount: string;
  /** Default: the oldest that the gateway serves, because the token then works in every version. */
  readonly api?: VersionName;
}

/** As the bank sends it. */
interface Answer {
  readonly FundsConfirmationId: string;
  readonly ConsentId: string;
  readonly FundsAvailable: boolean;
  readonly Reference: string;
  readonly InstructedAmount: { readonly Amount: string; readonly Currency: string };
}

/** The bank's answer, with the tokens to ask again. */
export interface FundsAnswer extends Answer {
  readonly AccessToken: string;
  readonly ClientToken: string;
  /** With the path of the version. */
  readonly BaseUrl: string;
  /** The reference of the account at the core. */
  readonly Account: string;
}

/** Creates a consent as a TPP, authorises it as the bank does once the customer has agreed, and asks for the amount. */
export async function askForFunds(stack: Stack, { persona, account, amount, api }: FundsOptions): Promise<FundsAnswer> {
  const customer = await personaWithAccounts(stack, persona);
  const { debtor, ...chosen } = accountWithDebtor(customer, account);
  const path = servedFundsVersions(await publishedFacts(stack), api)[0]?.fundsPath ?? '';
  const { Currency, ...DebtorAccount } = debtor;
  const ClientToken = await token(stack, { scope });
  const consents = `${path}/funds-confirmation-consents`;
  const asked = { Data: { DebtorAccount } };
  const { ConsentId } = await postAsTpp<{ readonly ConsentId: string }>(stack, consents, ClientToken, asked);
  await authorise(stack, customer, ConsentId, [chosen]);
  const AccessToken = await token(stack, { scope, consentId: ConsentId });
  const Data = { ConsentId, Reference: 'sandbox', InstructedAmount: { Amount: amount, Currency } };
  const answer = await postAsTpp<Answer>(stack, `${path}/funds-confirmations`, AccessToken, { Data });
  return { ...answer, AccessToken, ClientToken, BaseUrl: `${stack.config.baseUrl}${path}`, Account: chosen.ref };
}

type Account = PersonaSummary['accounts'][number];

/** The customer's account of this reference, or the first that a TPP can name. */
export function accountWithDebtor(
  { name, accounts }: PersonaSummary,
  ref?: string,
): Account & { readonly debtor: Debtor } {
  const named = accounts.flatMap(({ debtor, ...account }) => (debtor ? [{ ...account, debtor }] : []));
  const found = named.find((account) => ref === undefined || account.ref === ref);
  if (found !== undefined) return found;
  const refs = named.map((account) => account.ref).join(', ');
  throw new FaultyStart(
    refs === ''
      ? `${name} has no account with a sort code and number, or an IBAN: name another customer`
      : `${name} has no account ${ref} with a sort code and number, or an IBAN: name one of ${refs}`,
  );
}

/** A line that can be pasted into a terminal, several times: each run has another Reference. */
export function askAgainLine({ AccessToken, BaseUrl, ConsentId, InstructedAmount }: FundsAnswer): string {
  const body = JSON.stringify({ Data: { ConsentId, Reference: "again-'$(date +%s)'", InstructedAmount } });
  return `curl -sS -H 'Authorization: Bearer ${AccessToken}' -H 'Content-Type: application/json' -d '${body}' ${BaseUrl}/funds-confirmations`;
}
