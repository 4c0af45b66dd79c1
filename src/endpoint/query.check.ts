import { Injectable } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { BankClock } from '../clock/clock.js';
import { PageCursors } from '../open-banking/page-cursor.js';
import type { RequestCheck, RoutedRequest } from '../request/checks.js';
import { nearParameters, warningOf } from './near-parameters.js';

/**
 * Reads the query parameters into `context.filter`. It must run before the check of the authentication window, which uses the
 * dates.
 */
@Injectable()
export class QueryCheck implements RequestCheck<RoutedRequest> {
  readonly name = 'query';

  constructor(
    private readonly clock: BankClock,
    private readonly cursors: PageCursors,
  ) {}

  check(request: RoutedRequest, reply: FastifyReply): void {
    const { declaration } = request;
    if (declaration?.kind !== 'resource') return;
    const reader = declaration.form.rule.query;
    if (reader === undefined) return;
    const { context, query } = request;
    const near = nearParameters(query, reader);
    if (near.length > 0) {
      context.ignoredParameters = near.map(({ given }) => given);
      void reply.header('warning', warningOf(near));
    }
    context.filter = reader.read(query, {
      consentId: context.granted().consentId,
      accountId: context.grantedAccount().accountId,
      nowMs: this.clock.nowMs(),
      cursors: this.cursors,
    });
  }
}
