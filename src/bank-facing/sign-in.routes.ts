import { Inject, Injectable } from '@nestjs/common';
import type { FastifyInstance } from 'fastify';
import { Type, type Static } from 'typebox';
import type { AuthorisationServer } from '../authorisation-server/authorisation-server.js';
import { AUTHORISATION_SERVER } from '../authorisation-server/embedded-authorisation-server.module.js';
import { bankErrorSchema } from './bank-errors.js';
import { answer, reportErrors } from './bank-facing.schema.js';
import { embeddedServer } from './operator.schema.js';

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
  operationId: 'unlockSignIn',
  summary: 'Let a customer sign in again at once',
  description:
    'Forgets the sign-ins that were begun under the login name, in whichever browser. Those of a source address stay ' +
    'counted. The answer is the same for unknown names and for names that were not paused.',
  body: UnlockedLogin,
  response: {
    204: Type.Null({ description: 'Done. Without a body.' }),
    ...reportErrors,
    400: answer('The body is not as described. Nothing was changed.', bankErrorSchema),
    404: answer('There is no embedded authorization server here.', bankErrorSchema),
  },
};

/** The bank lets a customer sign in whom the limits of sign-in attempts delay. */
@Injectable()
export class SignInRoutes {
  constructor(@Inject(AUTHORISATION_SERVER) private readonly embedded: AuthorisationServer | undefined) {}

  declare(bank: FastifyInstance): void {
    // The login name is in the body, because paths end up in logs.
    bank.post<{ Body: Static<typeof UnlockedLogin> }>('/sign-ins/unlock', { schema }, async ({ body }, reply) => {
      await embeddedServer(this.embedded).signInLimits.unlock(body.loginName);
      return reply.status(204).send();
    });
  }
}
