import assert from 'node:assert/strict';
import type { CustomerAuthenticationServices } from '../../customer-authentication/customer-authentication-services.js';
import {
  CustomerAuthenticationUnavailable,
  type CustomerAuthentication,
  type CustomerCredentials,
  type DoneStep,
  type Step,
  type StepInput,
} from '../../customer-authentication/customer-authentication.js';
import { signOnHttp, type SignOnConnection, type SignOnHttp } from '../../customer-authentication/sign-on-http.js';
import { kitServices } from '../kit-services.js';
import { inTime, readPatienceMs } from '../patience.js';
import type { OpenStep, SignOnUnderTest, TestCustomer, TestSignOn } from './sign-on-under-test.js';

/** An answer that the kit puts in place of the sign-on's. */
export type Answering = (() => Promise<Response>) | undefined;

/** An adapter with its test sign-on. */
export class SignOnWorld {
  /** Every fault of the adapter that a clause has seen. */
  readonly faults: Error[] = [];
  private answering: Answering;
  private states = 0;

  private constructor(
    readonly kit: SignOnUnderTest,
    readonly signOn: TestSignOn,
  ) {}

  static async open(kit: SignOnUnderTest): Promise<SignOnWorld> {
    return new SignOnWorld(kit, await kit.signOn());
  }

  close(): Promise<void> {
    return this.signOn.close();
  }

  get services(): CustomerAuthenticationServices {
    return { ...kitServices, http: this.http };
  }

  /** A new adapter, which the kit closes. */
  async with<T>(act: (adapter: CustomerAuthentication) => Promise<T>): Promise<T> {
    const { url, variables } = this.signOn;
    const adapter = await this.kit.create({ url, variables }, this.services);
    try {
      return await act(adapter);
    } finally {
      await adapter.close();
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
    { credentials }: Pick<TestCustomer, 'credentials'>,
    given: CustomerCredentials | undefined = credentials,
  ): Promise<Step> {
    const { returnUrl, acr } = this.signOn;
    const request = {
      purpose: 'consent' as const,
      ...(given && { credentials: given }),
      asked: { tpp: 'The app of the kit', data: ['Your account details'] },
      browser: { address: '192.0.2.7', userAgent: 'the kit', deviceCookie: 'k'.repeat(43) },
      returnTo: { url: returnUrl, state: `kit.${'s'.repeat(40)}${String(this.states++).padStart(3, '0')}` },
      acrValues: [acr],
      language: 'en-GB',
    };
    return this.asked((signal) => adapter.begin(request, signal));
  }

  continue(adapter: CustomerAuthentication, { state }: { readonly state: string }, input: StepInput): Promise<Step> {
    return this.asked((signal) => adapter.continue(state, input, signal));
  }

  /** The whole way of a customer, to the last step. */
  async finish(
    adapter: CustomerAuthentication,
    customer: TestCustomer,
    step: Step,
  ): Promise<{ readonly last: OpenStep; readonly input: StepInput; readonly end: Step }> {
    let open = openStep(step);
    for (let steps = 0; steps < 10; steps++) {
      const input = await this.signOn.act(customer, open, 'right');
      const next = await this.continue(adapter, open, input);
      if (next.step === 'done' || next.step === 'refused') return { last: open, input, end: next };
      open = openStep(next);
    }
    return assert.fail('the authentication does not end after 10 steps');
  }

  private async asked(ask: (signal: AbortSignal) => Promise<Step>): Promise<Step> {
    try {
      const step = await inTime(ask(AbortSignal.timeout(readPatienceMs)), readPatienceMs);
      if (step === 'late') return assert.fail('the adapter does not answer');
      return step;
    } catch (error) {
      if (error instanceof CustomerAuthenticationUnavailable) this.faults.push(error);
      throw error;
    }
  }

  private get http(): SignOnHttp {
    return {
      connect: (terms) => {
        const real = signOnHttp.connect(terms);
        const fetch: SignOnConnection['fetch'] = (url, call) => this.answering?.() ?? real.fetch(url, call);
        return { fetch, close: () => real.close() };
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
