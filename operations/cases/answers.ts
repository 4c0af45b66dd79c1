// The answers of the bank's port about cases, as docs/openapi/bank-facing.json describes them.

export interface CaseConsent {
  readonly ConsentId: string;
  readonly Status: string;
  readonly TppId: string;
  readonly TppIssuer: string;
  readonly CreationDateTime: string;
  readonly ExpirationDateTime?: string;
  readonly AccessEndedDateTime?: string;
  readonly DeletedDateTime?: string;
}

export interface Timeline {
  readonly Consent: CaseConsent;
  readonly Events: readonly Event[];
  readonly Uses: readonly Use[];
  readonly Looked: { readonly Instances: readonly string[]; readonly Limit?: string };
}

export interface Event {
  readonly DateTime: string;
  readonly Event: string;
  readonly By?: string;
  readonly Reason?: string;
  readonly Text?: string;
}

export interface Use {
  readonly Endpoint: string;
  readonly Answered: number;
  readonly Attended: number;
  readonly Refused: number;
  readonly FirstDateTime: string;
  readonly LastDateTime: string;
}

export interface Withdrawal {
  readonly WithdrawnDateTime: string;
  readonly Count: number;
  readonly Consents?: readonly Pick<CaseConsent, 'ConsentId' | 'TppId' | 'TppIssuer'>[];
}

export interface Proposal {
  readonly ProposalId: string;
  readonly Act: string;
  readonly Customer?: string;
  readonly Account?: string;
  readonly TppId?: string;
  readonly TppIssuer?: string;
  readonly Reason?: string;
  readonly Text?: string;
  readonly Registration?: object;
  readonly ProposedBy: string;
  readonly LapsesDateTime: string;
}
