import { isDeepStrictEqual } from 'node:util';
import { Inject, Injectable } from '@nestjs/common';
import type { AuthorisationServer } from '../../authorisation-server/authorisation-server.js';
import { AUTHORISATION_SERVER } from '../../authorisation-server/embedded-authorisation-server.module.js';
import type { TppEntry } from '../../authorisation-server/tpps/tpp-entry.js';
import type { Tpp } from '../../authorisation-server/tpps/tpp.store.js';
import { BankClock } from '../../clock/clock.js';
import { GATEWAY_CONFIG, type GatewayConfig } from '../../config/config.js';
import { mayActAs, type Role } from '../../consents/cases/operator-roles.js';
import { ProposalStore, useProposal } from '../../consents/cases/proposal.store.js';
import type {
  Approval,
  OperatorActor,
  Proposal,
  ProposedAct,
  Withdrawal,
  Withdrawn,
} from '../../consents/cases/withdrawal.js';
import { WithdrawalService } from '../../consents/cases/withdrawal.service.js';
import { proposalGone } from '../../consents/consent-errors.js';
import { outcomeUnknown, stored } from '../../consents/stored.js';
import { TppWithdrawalService } from '../../consents/tpp-withdrawal.service.js';
import { EventsSweep } from '../../events/events.sweep.js';
import { OpenBankingError } from '../../open-banking/errors.js';
import type { TppId } from '../../open-banking/tpp-id.js';
import type { Before } from '../../security/tpp-standing.store.js';
import type { BankCaller } from '../callers.js';
import { embeddedServer } from '../operator.schema.js';

const isUuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** The time in which a second operator can approve: within a shift, while the first operator still knows the reason. */
const proposalMs = 120 * 60_000;

/** An act was proposed, and is not done yet. */
interface PendingProposal {
  readonly proposal: Proposal;
}

/** The acts of operators which, with TWO_PERSONS, one operator proposes and another approves. */
@Injectable()
export class Acts {
  constructor(
    private readonly withdrawals: WithdrawalService,
    private readonly tpps: TppWithdrawalService,
    private readonly proposals: ProposalStore,
    private readonly events: EventsSweep,
    @Inject(GATEWAY_CONFIG) private readonly config: Pick<GatewayConfig, 'twoPersons'>,
    private readonly clock: BankClock,
    @Inject(AUTHORISATION_SERVER) private readonly embedded: AuthorisationServer | undefined,
  ) {}

  get needTwoPersons(): boolean {
    return this.config.twoPersons;
  }

  /**
   * A withdrawal of one consent needs no second operator. That of a TPP's consents always does, because it also ends those
   * that the TPP creates in the same moment.
   */
  async withdraw(withdrawal: Withdrawal, by: OperatorActor): Promise<Withdrawn | PendingProposal> {
    const { scope } = withdrawal;
    if (!this.needTwoPersons) return this.withdrawAll(withdrawal, by);
    const single =
      scope.kind === 'tpp' ? undefined : await this.withdrawals.withdrawSingle({ ...withdrawal, scope }, by);
    return single ?? this.propose({ kind: 'withdrawal', ...withdrawal }, by);
  }

  private async withdrawAll(withdrawal: Withdrawal, by: OperatorActor, approval?: Approval): Promise<Withdrawn> {
    const withdrawn = await this.withdrawals.withdraw(withdrawal, by, approval);
    if (withdrawal.scope.kind === 'tpp') void this.events.now();
    return withdrawn;
  }

  /** Withdraws every consent of the TPP, and begins to write their events. */
  async revokeConsents(tpp: TppId, by: BankCaller): Promise<void> {
    await this.tpps.revokeConsents(tpp, by);
    void this.events.now();
  }

  /** Registers a TPP, or changes its registration. @throws OpenBankingError for an entry with a fault */
  async register(entry: unknown, by: BankCaller, approval?: Approval): Promise<Tpp> {
    const before: Before | undefined = approval && ((transaction) => useProposal(transaction, approval));
    return stored(embeddedServer(this.embedded).registry.put(await this.faultless(entry), by, before), outcomeUnknown);
  }

  /** Whether the entry would change what a TPP has registered of itself other than its name. */
  async replacesMetadata(entry: TppEntry): Promise<boolean> {
    const { metadata } = await this.faultless(entry);
    const registered = await embeddedServer(this.embedded).tpps.find(entry.clientId);
    return (
      registered !== undefined && !isDeepStrictEqual(registered.metadata, { ...metadata, client_id: entry.clientId })
    );
  }

  private async faultless(entry: unknown): Promise<TppEntry> {
    const fault = await embeddedServer(this.embedded).registry.faultOfEntry(entry);
    if (fault === undefined) return entry as TppEntry;
    throw new OpenBankingError('field-invalid', { message: fault, path: /^[\w.[\]]*/.exec(fault)?.[0] ?? '' });
  }

  open(): Promise<readonly Proposal[]> {
    return stored(this.proposals.list(this.now()));
  }

  /**
   * @param found is called with a proposal that waits, before it is checked
   * @throws OpenBankingError where the operator may not approve it
   */
  async approvable(
    proposalId: string,
    by: OperatorActor,
    role: Role,
    found: (proposal: Proposal) => void,
  ): Promise<Proposal> {
    const proposal = isUuid.test(proposalId) ? await stored(this.proposals.find(proposalId, this.now())) : undefined;
    if (proposal === undefined) throw proposalGone();
    found(proposal);
    if (proposal.proposedBy === by)
      throw new OpenBankingError(
        'token-scope',
        { message: 'You proposed this yourself: another operator must approve it.' },
        { reason: 'own-proposal' },
      );
    const needed = roleOf(proposal.act);
    if (!mayActAs(needed, role))
      throw new OpenBankingError(
        'token-scope',
        { message: `To approve this act you need the role ${needed}.` },
        { reason: 'role-missing' },
      );
    return proposal;
  }

  /** Does the act with the consents of now. @returns `undefined` for an act that ends no consents */
  async approve({ proposalId, act }: Proposal, by: OperatorActor): Promise<Withdrawn | undefined> {
    const approval: Approval = { proposalId, by, role: roleOf(act), at: this.now() };
    switch (act.kind) {
      case 'withdrawal':
        return this.withdrawAll(act, by, approval);
      case 'suspension':
        await this.tpps.suspend(act.scope.tpp, by, approval);
        return undefined;
      case 'reinstatement':
        await this.tpps.reinstate(act.scope.tpp, by, approval);
        return undefined;
      case 'registration':
        await this.register(act.entry, by, approval);
        return undefined;
    }
  }

  async propose(act: ProposedAct, by: OperatorActor): Promise<PendingProposal> {
    const proposedAt = this.now();
    const expiresAt = new Date(proposedAt.getTime() + proposalMs);
    return { proposal: await stored(this.proposals.propose({ act, proposedBy: by, proposedAt, expiresAt })) };
  }

  private now(): Date {
    return new Date(this.clock.nowMs());
  }
}

function roleOf({ kind }: ProposedAct): Role {
  return kind === 'withdrawal' ? 'withdraw' : 'operate';
}

/** @param way the end of the sentence: how the act can be done */
export function secondPersonNeeded(way: string): OpenBankingError {
  return new OpenBankingError(
    'token-scope',
    { message: `With TWO_PERSONS=yes this needs a second operator: ${way}.` },
    { reason: 'second-person-needed' },
  );
}

/** @throws OpenBankingError for the bank's systems, which are not an operator */
export function secondNeededBy(caller: BankCaller): OperatorActor {
  if (caller === 'bank')
    throw secondPersonNeeded('add operators, of whom one proposes the act and another approves it');
  return caller;
}
