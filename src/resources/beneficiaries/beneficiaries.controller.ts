import { Controller } from '@nestjs/common';
import { ConsentedAccount, GetResource, type ResourceRequest } from '../../endpoint/get-resource.decorator.js';
import { ResourceReader } from '../../endpoint/resource-reader.js';
import { beneficiaries } from './beneficiaries.endpoint.js';
import type { Beneficiary } from './beneficiary.schema.js';

@Controller()
export class BeneficiariesController {
  constructor(private readonly reader: ResourceReader) {}

  @GetResource(beneficiaries)
  list(@ConsentedAccount() to: ResourceRequest): Promise<Beneficiary[]> {
    return this.reader.list(beneficiaries, to);
  }
}
