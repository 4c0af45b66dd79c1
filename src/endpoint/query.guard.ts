import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { BankClock } from '../clock/clock.js';
import { PageCursors } from '../open-banking/page-cursor.js';
import { nearParameters, warningOf } from './near-parameters.js';
import { declarationOf, granted } from './request-context.js';

/** The check "query". It comes before the authentication window, which judges the history that the query asks for. */
@Injectable()
export class QueryGuard implements CanActivate {
  constructor(
    private readonly clock: BankClock,
    private readonly cursors: PageCursors,
  ) {}

  canActivate(context: ExecutionContext): boolean {
    const request = context.switchToHttp().getRequest<FastifyRequest>();
    const declaration = declarationOf(request);
    if (declaration?.kind !== 'resource') return true;
    const reader = declaration.form.rule.query;
    if (reader === undefined) return true;
    const query = request.query as Record<string, unknown>;
    const near = nearParameters(query, reader);
    if (near.length > 0) {
      request.ignoredParameters = near.map(({ given }) => given);
      void context.switchToHttp().getResponse<FastifyReply>().header('warning', warningOf(near));
    }
    request.filter = reader.read(query, {
      consentId: granted(request).consentId,
      accountId: request.account?.accountId ?? '',
      nowMs: this.clock.nowMs(),
      cursors: this.cursors,
    });
    return true;
  }
}
