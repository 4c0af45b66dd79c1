import type { JWTPayload } from 'jose';
import { nameFault } from './tpp-name.policy.js';

/**
 * The agent that acts on behalf of the TPP, by `software_on_behalf_of_org` of its software statement: customers are
 * shown both names ("How should TPP names be displayed", Open Banking's knowledge base). Directories fill the claim with null,
 * with the TPP's own name or with the address of a record as well: none of these is an agent.
 */
export function agentIn({ software_on_behalf_of_org: claim }: JWTPayload, tppName: string): string | undefined {
  if (typeof claim !== 'string') return undefined;
  const agent = claim.trim();
  const isName = nameFault(agent) === undefined && !/^https?:/i.test(agent);
  return isName && agent.toLowerCase() !== tppName.trim().toLowerCase() ? agent : undefined;
}
