import {
  CustomerAuthenticationUnavailable,
  portVersion,
  SignOnSettingFault,
  type AuthenticationRequest,
  type CustomerAuthentication,
  type CustomerAuthenticationServices,
  type CustomerAuthenticationSettings,
  type SignOnConnection,
  type Step,
  type StepInput,
} from '../../packages/customer-authentication/published-port.js';

/** The gateway compares it with its own. */
export { portVersion };

/** The gateway calls it at its start. `services` has a logger, a clock and metrics, too. */
export function createCustomerAuthentication(
  { url, variables }: CustomerAuthenticationSettings,
  { http }: CustomerAuthenticationServices,
): CustomerAuthentication {
  const credential = variables.CUSTOMER_AUTHENTICATION_CREDENTIAL;
  if (credential === undefined) throw new SignOnSettingFault('CUSTOMER_AUTHENTICATION_CREDENTIAL', 'must be set');
  return new TemplateAuthentication(url, credential, http.connect({}));
}

/** Asks the sign-on template over HTTP. */
class TemplateAuthentication implements CustomerAuthentication {
  /** False where the bank's own sign-on asks for them: then `begin` gives the step `redirect`. */
  readonly asksCredentials = true;

  constructor(
    private readonly url: string,
    private readonly credential: string,
    private readonly connection: SignOnConnection,
  ) {}

  async begin({ credentials, browser, asked }: AuthenticationRequest, signal: AbortSignal): Promise<Step> {
    // 1. Ask the sign-on. It answers an unknown login name like a known one.
    await this.ask('/begin', { credentials, browser, asked }, signal);
    throw new CustomerAuthenticationUnavailable('template: begin is not written yet');
  }

  async continue(state: string, input: StepInput, signal: AbortSignal): Promise<Step> {
    // 2. Take the input of each step that `begin` gives, and end with the step `done` or `refused`.
    await this.ask('/continue', { state, input }, signal);
    throw new CustomerAuthenticationUnavailable('template: continue is not written yet');
  }

  close(): Promise<void> {
    return this.connection.close();
  }

  private async ask(path: string, body: object, signal: AbortSignal): Promise<unknown> {
    const answer = await this.connection.fetch(this.url + path, {
      method: 'POST',
      headers: { authorization: `Bearer ${this.credential}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
      signal,
    });
    if (answer.status !== 200) throw new CustomerAuthenticationUnavailable(`template answered ${answer.status}`);
    try {
      return await answer.json();
    } catch {
      // The parser's message quotes the answer.
      throw new CustomerAuthenticationUnavailable('template answered with something other than JSON');
    }
  }
}
