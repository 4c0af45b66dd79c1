import assert from 'node:assert/strict';
import { AsyncLocalStorage } from 'node:async_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import type { CustomerAuthenticationServices } from '../../customer-authentication/customer-authentication-services.js';
import {
  type AuthenticationRequest,
  type CustomerAuthentication,
  type CustomerCredentials,
  type DoneStep,
  type Step,
  type StepInput,
  isCustomerAuthenticationUnavailable,
} from '../../customer-authentication/customer-authentication.js';
import { signOnHttp, type SignOnCall, type SignOnHttp } from '../../customer-authentication/sign-on-http.js';
import { stepFault } from '../../customer-authentication/step-fault.js';
import { partOfKit } from '../kit-fault.js';
import { kitServices } from '../kit-services.js';
import { inTime, readPatienceMs } from '../patience.js';
import type { OpenStep, SignOnUnderTest, TestCustomer, TestSignOn } from './sign-on-under-test.js';

/** An answer that the kit puts in place of the sign-on's. */
export type Answering = ((call: SignOnCall) => Promise<Response>) | undefined;

/** The members of the gateway's request that a clause varies. */
export type RequestVariation = Partial<Pick<AuthenticationRequest, 'credentials' | 'returnTo'>>;

export interface FinishedAuthentication {
  readonly last: OpenStep;
  readonly input: StepInput;
  readonly end: Step;
  /** When the customer had done the last thing. */
  readonly actedAtMs: number;
}

export const browser = { address: '192.0.2.7', userAgent: 'the kit', deviceCookie: 'k'.repeat(43) };
export const asked = { tpp: 'The app of the kit', data: ['Your account details', 'Your regular payments'] };

/** An adapter with its test sign-on. */
export class SignOnWorld {
  /** Every fault of the adapter that a clause has seen. */
  readonly faults: Error[] = [];
  /** Every call of the adapter to the sign-on. */
  readonly calls: { readonly url: string; readonly call: SignOnCall }[] = [];
  /** Every code that a customer typed or that the bank's own sign-on sent back. */
  readonly codes: string[] = [];
  /** The connections that the kit has lent and that are not closed. */
  open = 0;
  /** Distinguishes the adapter's own calls from those of a test sign-on in this process. */
  private readonly adapters = new AsyncLocalStorage<true>();
  private answering: Answering;
  private states = 0;

  private constructor(
    readonly kit: SignOnUnderTest,
    readonly signOn: TestSignOn,
  ) {}

  /** @throws KitFault */
  static async open(kit: SignOnUnderTest): Promise<SignOnWorld> {
    return new SignOnWorld(kit, await partOfKit('`signOn` of the kit', () => kit.signOn()));
  }

  close(): Promise<void> {
    return this.signOn.close();
  }

  /** Whether the adapter is at work, for a listener that is called where it is. */
  get isInAdapter(): boolean {
    return this.adapters.getStore() === true;
  }

  get services(): CustomerAuthenticationServices {
    return { ...kitServices, http: this.http };
  }

  /** A new adapter, which the kit closes. */
  async with<T>(act: (adapter: CustomerAuthentication) => Promise<T>, services = this.services): Promise<T> {
    const { url, variables } = this.signOn;
    const adapter = await this.adapters.run(true, () => this.kit.create({ url, variables }, services));
    try {
      return await act(adapter);
    } finally {
      await this.adapters.run(true, () => adapter.close());
    }
  }

  /** Until `act` has ended, the kit answers every call of the adapter. */
  async under(answering: Answering, act: () => Promise<void>): Promise<void> {
    this.answering = answering;
    try {
      await act();
    } finally {
      this.answering = undefined;
    }
  }

  begin(
    adapter: CustomerAuthentication,
    { credentials: own }: Pick<TestCustomer, 'credentials'>,
    { credentials = own, returnTo = this.newReturnAddress() }: RequestVariation = {},
    signal: AbortSignal = new AbortController().signal,
  ): Promise<Step> {
    const request: AuthenticationRequest = {
      purpose: 'consent',
      asked,
      browser,
      returnTo,
      acrValues: [this.signOn.acr],
      language: 'en-GB',
      ...(credentials && { credentials }),
    };
    return this.usableStep(() => adapter.begin(request, signal));
  }

  continue(
    adapter: CustomerAuthentication,
    { state }: { readonly state: string },
    input: StepInput,
    signal: AbortSignal = new AbortController().signal,
  ): Promise<Step> {
    return this.usableStep(() => adapter.continue(state, input, signal));
  }

  newReturnAddress(): AuthenticationRequest['returnTo'] {
    return { url: this.signOn.returnUrl, state: `kit.${'s'.repeat(40)}${String(this.states++).padStart(3, '0')}` };
  }

  /**
   * Takes the customer through every step, to the end.
   * @param pauseMs between the customer's act and the gateway's question after it
   */
  async finish(
    adapter: CustomerAuthentication,
    customer: TestCustomer,
    step: Step,
    pauseMs: (step: OpenStep) => number = () => 0,
  ): Promise<FinishedAuthentication> {
    let open = openStep(step);
    for (let steps = 0; steps < 10; steps++) {
      const input = await this.act(customer, open, 'right');
      const actedAtMs = Date.now();
      await sleep(pauseMs(open));
      const next = await this.continue(adapter, open, input);
      if (next.step === 'done' || next.step === 'refused') return { last: open, input, end: next, actedAtMs };
      open = openStep(next);
    }
    return assert.fail('the authentication does not end after 10 steps');
  }

  /** @throws KitFault */
  async act(...given: Parameters<TestSignOn['act']>): Promise<StepInput> {
    const input = await partOfKit('`act` of the kit', () => this.signOn.act(...given));
    if (input.input === 'code') this.codes.push(input.code);
    if (input.input === 'return') this.codes.push(new URL(input.url).searchParams.get('code') ?? '');
    return input;
  }

  private async usableStep(ask: () => Promise<Step>): Promise<Step> {
    let step: Step | 'late';
    try {
      step = await inTime(this.adapters.run(true, ask), readPatienceMs);
    } catch (error) {
      if (isCustomerAuthenticationUnavailable(error)) this.faults.push(error);
      throw error;
    }
    if (step === 'late') return assert.fail('the adapter does not answer');
    const fault = stepFault(step);
    assert.equal(fault, undefined, `the gateway cannot use the step: ${fault}`);
    return step;
  }

  private get http(): SignOnHttp {
    return {
      connect: (terms) => {
        const real = signOnHttp.connect(terms);
        this.open++;
        let closed: Promise<void> | undefined;
        const close = (): Promise<void> => {
          if (closed === undefined) this.open--;
          return (closed ??= real.close());
        };
        return {
          fetch: (url, call = {}) => {
            this.calls.push({ url, call });
            return this.answering?.(call) ?? real.fetch(url, call);
          },
          close,
        };
      },
    };
  }
}

export function openStep(step: Step): OpenStep {
  if (step.step === 'done' || step.step === 'refused') return assert.fail(`the step is ${step.step} too early`);
  return step;
}

export function doneStep(step: Step): DoneStep['result'] {
  if (step.step !== 'done')
    return assert.fail(`the step is ${step.step}${'reason' in step ? ` (${step.reason})` : ''}`);
  return step.result;
}

export function isDone(ended: unknown): boolean {
  return typeof ended === 'object' && ended !== null && 'step' in ended && ended.step === 'done';
}

/** The step, or the error in its place. */
export async function errorOrStep(ask: () => Promise<Step>): Promise<unknown> {
  try {
    return await ask();
  } catch (error) {
    return error;
  }
}

export function credentialsOf({ credentials }: TestCustomer): CustomerCredentials {
  return credentials ?? assert.fail('the customer has no credentials: put the clause into `without`, with the reason');
}
