import { Controller, type Type } from '@nestjs/common';
import type { AccountRead } from '../../packages/core-adapter/core.adapter.js';
import type { EndpointRule } from '../endpoint/endpoint-rule.js';
import { ResourceReader } from '../endpoint/resource-reader.js';
import { ConsentedAccount, type ResourceRequest } from '../endpoint/resource-request.js';
import { GetResource } from './get-resource.decorator.js';

/** The controller of an endpoint that answers with all records of one kind of the account. */
export function listController<Rule extends EndpointRule<string, Exclude<AccountRead, 'transactions'>>>(
  rule: Rule,
): Type<object> {
  @Controller()
  class ListController {
    constructor(readonly reader: ResourceReader) {}

    @GetResource(rule)
    async list(@ConsentedAccount() to: ResourceRequest<Rule>): Promise<unknown[]> {
      return this.reader.resources(to, await this.reader.read(to));
    }
  }
  return ListController;
}
