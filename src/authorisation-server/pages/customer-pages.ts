import type { Permission, PermissionClusterName } from '../../open-banking/permissions.js';

export interface PageDocument {
  /** BCP 47: its language. */
  readonly locale: string;
  readonly html: string;
}

/** Where the assets are: `<assetPath>/<name>`. They carry no secret and may be cached for as long as their name stays. */
export const assetPath = '/as/assets';
export const dashboardPath = '/as/dashboard';

export interface PageAsset {
  /** Letters, digits, `.` and `-`. */
  readonly name: string;
  readonly contentType: string;
  readonly body: string | Buffer;
}

/** Every form posts `application/x-www-form-urlencoded` to `action` with the hidden field `csrf`. */
export interface PageForm {
  readonly action: string;
  readonly csrf: string;
}

export const fields = {
  csrf: 'csrf',
  loginName: 'login_name',
  password: 'password',
  code: 'code',
  /** One radio button for each customer; its value is the place in the list, from 0. */
  customer: 'customer',
  /** One check box for each account that can be chosen; its value is {@link OfferedAccount.key}. */
  account: 'account',
  /** The name of the submitting buttons; their values are {@link Decision}s. */
  decision: 'decision',
} as const;

/**
 * - `continue`: the step's own button (sign in, send the code), and the default. On a page that asks for a decision it decides
 *   nothing, and the page stays as it is.
 * - `send-again`: another code, on the page of the code.
 * - `approve`, `deny`: the customer's decision, on the pages `authorise`, `funds` and `reauthenticate`.
 * - `select-all`, `select-none`: the accounts of the page `authorise`; the page is shown again with that choice.
 * - `cancel`: back to the TPP without a decision, on the pages before it and on notices.
 */
export type Decision = 'continue' | 'send-again' | 'approve' | 'deny' | 'select-all' | 'select-none' | 'cancel';

/** The request to the customer; the same on every page of one journey. */
export interface AccessRequest {
  readonly tpp: {
    /** Distinguishes two TPPs of the same name. No page shows it. */
    readonly id: string;
    /** Absent where the bank does not know the TPP, any more or at all. */
    readonly name?: string;
    /** Acts on behalf of the TPP: wherever the TPP is named, so is this one. */
    readonly agent?: string;
  };
  /** The TPP asks whether funds are available in one account, and for nothing else: there are no clusters then. */
  readonly forFunds?: true;
  /** The clusters that are asked for, in the order in which they are shown. */
  readonly clusters: readonly PermissionCluster[];
  /** End of the access; absent: until the customer withdraws it. */
  readonly expiresAt?: Date;
  /** Edges of the transaction history that is asked for; absent is open-ended. */
  readonly transactionsFrom?: Date;
  readonly transactionsTo?: Date;
}

export interface PermissionCluster {
  readonly name: PermissionClusterName;
  /** The cluster's permissions that are asked for, without duplicates. Where Detail is asked for, its Basic is omitted. */
  readonly permissions: readonly Permission[];
}

export interface Identification {
  readonly form: PageForm;
  /** The fault of the previous attempt. */
  readonly message?: StepMessage;
}

/** The question to the customer. */
export interface AccessQuestion {
  readonly request: AccessRequest;
  /** `true` when the customer gave this access before and only authenticates again. */
  readonly again: boolean;
  /** With `again`: when the access was withdrawn. It gives no data until the customer approves it again. */
  readonly withdrawnAt?: Date;
}
interface StepView extends Identification, AccessQuestion {}

/**
 * - `not-recognised`: login name, password or code was wrong too often; the page never says which one.
 * - `incomplete`: a field was left empty.
 * - `not-digits`: the customer typed something other than digits, which does not count as a try.
 * - `wrong-code`: the login name, the password or the code was wrong, and the customer has another try.
 * - `code-replaced`: the tries at one code are used up, and another code replaces it.
 * - `code-expired`: the time of the code has ended.
 * - `sent-again`: the customer asked for another code, which replaces the previous one.
 * - `wait-for-code`: no other code can be sent yet; the present one stays valid.
 * - `not-finished`: the customer did not finish in the bank's app, or on the bank's own sign-on, or refused there.
 * - `choose-a-customer`: went on without a customer.
 * - `choose-an-account`: approved without an account.
 * - `unavailable`: the bank cannot check at present; nothing was counted, try again.
 */
export const stepMessages = [
  'not-recognised',
  'incomplete',
  'not-digits',
  'wrong-code',
  'code-replaced',
  'code-expired',
  'sent-again',
  'wait-for-code',
  'not-finished',
  'choose-a-customer',
  'choose-an-account',
  'unavailable',
] as const;
export type StepMessage = (typeof stepMessages)[number];

export interface TypedName {
  /** The login name that the customer typed last. */
  readonly loginName?: string;
  /** The bank's own sign-on asks for everything: the page has a button to it. */
  readonly atBank?: true;
}

/** A page of the sign-in: with the request of a journey, without one at the dashboard. */
export interface SignInStepView extends Identification, Partial<AccessQuestion> {
  /** Why the customer is at the dashboard's sign-in again: signed out by choice, or after the time without activity. */
  readonly ended?: 'signed-out' | 'timed-out';
}

export type SignInView = SignInStepView & TypedName;

/** The page of the second factor. It is the same whether or not a code was sent. */
export interface SentCode {
  /** Where a code goes, as the customer may read it. */
  readonly sentTo: string;
  /** Address of the first factor, with the login name as it was typed. */
  readonly checkDetails: string;
}

export type OneTimeCodeView = SignInStepView & SentCode;

/** The page of the bank's app. It is the same whether or not the app asks the customer. Its form only cancels. */
export interface AwaitedApproval {
  /** A number or word that the app shows too. */
  readonly shown?: string;
  /** Address of this page, for customers who do not want to wait until it loads itself again. */
  readonly check: string;
  /** Address of the first factor, with the login name as it was typed. */
  readonly checkDetails: string;
}
export type ApproveInAppView = SignInStepView & AwaitedApproval;

/** Those for whom the person who signed in may act. */
export type CustomerNames = { readonly names: readonly string[] };
export type ChooseCustomerView = SignInStepView & CustomerNames;

export interface AuthoriseView extends StepView {
  readonly customerName: string;
  /** All of the customer's; where none can be chosen, `no-accounts` is shown. */
  readonly accounts: readonly OfferedAccount[];
  /** Some are missing, because they could not be read. */
  readonly incomplete?: boolean;
  /** `true` when the customer asked for all of them to be chosen. */
  readonly allChosen?: boolean;
}

/** The account is the one that the TPP named. */
export type FundsView = StepView &
  Pick<AuthoriseView, 'customerName'> & { readonly account: Omit<OfferedAccount, 'key'> };

export interface OfferedAccount {
  /** Value of the check box. It is valid in this form only. */
  readonly key: string;
  /** Absent where the bank has no name for it. */
  readonly name?: string;
  readonly endsWith?: string;
  readonly product: string;
  /** Why it cannot be shared, where that is so: it is shown, and cannot be chosen. */
  readonly withheld?: WhyWithheld;
}

/**
 * - `restricted`: the state of the account does not permit access.
 * - `not-served`: the bank shares nothing of this kind of account.
 * - `not-asked`: the TPP asks for nothing that this kind of account has.
 */
export const whyWithheld = ['restricted', 'not-served', 'not-asked'] as const;
export type WhyWithheld = (typeof whyWithheld)[number];

export interface ReauthenticateView extends StepView {
  readonly customerName: string;
  /** Chosen when the access was given; not to be changed. */
  readonly accounts: readonly Omit<OfferedAccount, 'key'>[];
  /** Some are missing, because they could not be read. */
  readonly incomplete?: boolean;
  readonly givenAt: Date;
}

/**
 * - `ended`: this journey has ended, or was begun in another browser, or took too long: start again at the TPP.
 * - `form-expired`: a form was posted without its token, or from a page that was left: go on from where the journey is.
 * - `blocked`: a limit of attempts was reached, and no page says which; try again later.
 * - `elsewhere`: the page was sent before, from here or another window. This post changed nothing.
 * - `leaving`: the browser goes to the bank's own sign-on without a click.
 * - `locked`, `must-change-password`: the customer must first go to the bank's page, whose address is `resume`.
 * - `no-access`: the access that was to be withdrawn has ended meanwhile, or is not this customer's.
 * - `another-customer`: the access was given by another customer, who alone can authenticate for it.
 * - `too-late`: the customer did not complete the authorisation in time: the consent is rejected.
 * - `already-decided`: the access was approved, refused or withdrawn meanwhile, in another window for example.
 * - `tpp-barred`: the TPP may not act at present, so that there is no way back to it either.
 * - `no-accounts`: the customer has no account that the TPP could see.
 * - `accounts-unavailable`: the customer is signed in, and the bank cannot say at present which accounts there are.
 * - `bad-request`: the TPP's request is not acceptable, and the browser cannot be sent back.
 * - `too-many-requests`: too many requests that failed came from the browser's address.
 * - `unavailable`: the bank cannot answer at present, and changed nothing.
 * - `outcome-unknown`: the bank cannot answer at present. Whether a withdrawal was made is not known then.
 */
export type NoticeKind =
  | 'ended'
  | 'form-expired'
  | 'blocked'
  | 'elsewhere'
  | 'leaving'
  | 'locked'
  | 'must-change-password'
  | 'no-access'
  | 'another-customer'
  | 'already-decided'
  | 'too-late'
  | 'tpp-barred'
  | 'no-accounts'
  | 'accounts-unavailable'
  | 'bad-request'
  | 'too-many-requests'
  | 'unavailable'
  | 'outcome-unknown';

export interface NoticeView {
  readonly kind: NoticeKind;
  readonly tpp?: AccessRequest['tpp'];
  /** Set where the customer can be sent back to the TPP: one button, `cancel`. */
  readonly back?: PageForm;
  /** Where to go on: the same page, the bank's page (`locked`, `must-change-password`) or the dashboard; a plain link. */
  readonly resume?: string;
}
