import { Inject, Injectable } from '@nestjs/common';
import type { FastifyInstance } from 'fastify';
import { Type, type Static } from 'typebox';
import type { AuthorisationServer } from '../authorisation-server/authorisation-server.js';
import { AUTHORISATION_SERVER } from '../authorisation-server/embedded-authorisation-server.module.js';
import { bankErrorSchema } from './bank-errors.js';
import { answer, reportErrors } from './bank-facing.dto.js';
import { embeddedServer } from './operator.dto.js';

const UnlockedLogin = Type.Object(
  {
    loginName: Type.String({
      minLength: 1,
      maxLength: 1_000,
      description: 'As the customer types it; neither case nor spaces at its ends matter.',
    }),
  },
  { title: 'UnlockedLogin', additionalProperties: false },
);
const schema = {
  tags: ['Sign-ins'],
  security: [{ bankCredential: [] }],
  operationId: 'unlockSignIn',
  summary: 'Let a customer sign in again at once',
  description:
    'Forgets the sign-ins that were begun under the login name, in whichever browser. Those of a source address stay ' +
    'counted. The answer is the same whether or not anybody has the name, and whether or not it was paused.',
  body: UnlockedLogin,
  response: {
    204: Type.Null({ description: 'Done. Without a body.' }),
    ...reportErrors,
    400: answer('The body is not as described. Nothing was changed.', bankErrorSchema),
    404: answer('There is no embedded authorization server here.', bankErrorSchema),
  },
};

/** The bank frees a customer whom the limits of signing in hold up. */
@Injectable()
export class SignInRoutes {
  constructor(@Inject(AUTHORISATION_SERVER) private readonly embedded: AuthorisationServer | undefined) {}

  declare(bank: FastifyInstance): void {
    // The login name is in the body: paths end up in logs.
    bank.post<{ Body: Static<typeof UnlockedLogin> }>('/sign-ins/unlock', { schema }, async ({ body }, reply) => {
      await embeddedServer(this.embedded).signInLimits.unlock(body.loginName);
      return reply.status(204).send();
    });
  }
}
