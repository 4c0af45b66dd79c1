import { Injectable } from '@nestjs/common';
import type { TppId } from '../../open-banking/tpp-id.js';
import type { AuthorisationStep, JourneyStage } from '../../trail/event.js';
import { Pseudonyms } from '../../trail/pseudonyms.js';
import type { Reason } from '../../trail/reasons.js';
import { Trail } from '../../trail/trail.js';

/** The consent that a customer's way through the pages is about; empty at the dashboard, which is about none. */
export interface JourneySubject {
  readonly consentId?: string;
  readonly tpp?: TppId;
}

interface StepFacts {
  readonly reason?: Reason;
  readonly customerRef?: string;
  /** With `abandoned`. */
  readonly stage?: JourneyStage | undefined;
}

/** Leaves an event in the trail of each deciding step of a customer's way through the pages. */
@Injectable()
export class JourneyTrail {
  constructor(
    private readonly trail: Trail,
    private readonly pseudonyms: Pseudonyms,
  ) {}

  step(
    step: AuthorisationStep,
    { consentId, tpp }: JourneySubject,
    { reason, customerRef, stage }: StepFacts = {},
  ): void {
    this.trail.happened({
      kind: 'authorisation',
      step,
      stage,
      consent: consentId,
      issuer: tpp?.issuer,
      tpp: tpp?.clientId,
      customer: customerRef === undefined ? undefined : this.pseudonyms.ofCustomer(customerRef),
      reason,
    });
  }
}
