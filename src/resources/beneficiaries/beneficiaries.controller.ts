import { Controller } from '@nestjs/common';
import { AccountEndpoint, ConsentedAccount, type ResourceRequest } from '../../http/account-endpoint.decorator.js';
import { ResourceReader } from '../../http/resource-reader.js';
import { PublicIds } from '../../open-banking/public-ids.js';
import { BeneficiarySchema, type Beneficiary } from './beneficiary.dto.js';
import { toBeneficiary } from './beneficiary.mapper.js';

@Controller()
export class BeneficiariesController {
  constructor(
    private readonly reader: ResourceReader,
    private readonly ids: PublicIds,
  ) {}

  @AccountEndpoint({
    endpoint: 'beneficiaries',
    collection: 'Beneficiary',
    schema: BeneficiarySchema,
    window: 'always',
    summary: 'Beneficiaries',
  })
  list(@ConsentedAccount() to: ResourceRequest): Promise<Beneficiary[]> {
    const { accountId, ref } = to.account;
    const view = {
      accountId,
      detail: to.grant.permissions.has('ReadBeneficiariesDetail'),
      publicId: this.ids.within('beneficiary', ref),
    };
    return this.reader.read('beneficiaries', to, (record, { product }) => toBeneficiary(record, { ...view, product }));
  }
}
