import type {
  CoreHttp,
  HttpAnswer,
  HttpCore,
  HttpQuestion,
} from '../../../../packages/core-adapter/http-core.client.js';
import {
  basicAuthorization,
  OAuthClientCredentials,
} from '../../../../packages/core-adapter/oauth-client-credentials.js';
import type { FineractSettings } from './fineract.settings.js';

/** Asks Fineract with the credentials of the gateway. */
export interface Authorisation {
  ask(core: HttpCore, question: HttpQuestion, signal: AbortSignal): Promise<HttpAnswer>;
  close(): Promise<void>;
}

export function createAuthorisation({ login, ...settings }: FineractSettings, http: CoreHttp): Authorisation {
  if (login.kind === 'basic') return new BasicAuthorisation(basicAuthorization(login.username, login.password));
  const client = {
    ...login,
    name: 'the token endpoint of Fineract',
    url: login.tokenUrl,
    urlSetting: 'CORE_TOKEN_URL',
    credentialSettings: 'CORE_CLIENT_ID and CORE_CLIENT_SECRET',
  };
  return new OAuthClientCredentials({ ...settings, ...client }, http);
}

class BasicAuthorisation implements Authorisation {
  constructor(private readonly header: string) {}

  ask(core: HttpCore, question: HttpQuestion, signal: AbortSignal): Promise<HttpAnswer> {
    return core.ask({ ...question, headers: [...question.headers, 'authorization', this.header] }, signal);
  }

  close(): Promise<void> {
    return Promise.resolve();
  }
}
