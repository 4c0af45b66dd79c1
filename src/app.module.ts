import { Module, type DynamicModule, type Type } from '@nestjs/common';
import { PlatformModule, type PlatformParts } from './platform.module.js';
import { AccountsModule } from './resources/accounts/accounts.module.js';
import { BalancesModule } from './resources/balances/balances.module.js';
import { BeneficiariesModule } from './resources/beneficiaries/beneficiaries.module.js';
import { DirectDebitsModule } from './resources/direct-debits/direct-debits.module.js';
import { OffersModule } from './resources/offers/offers.module.js';
import { PartyModule } from './resources/party/party.module.js';
import { ProductModule } from './resources/product/product.module.js';
import { ScheduledPaymentsModule } from './resources/scheduled-payments/scheduled-payments.module.js';
import { StandingOrdersModule } from './resources/standing-orders/standing-orders.module.js';
import { StatementsModule } from './resources/statements/statements.module.js';
import { isEndpoint, type Endpoint } from './resources/endpoints.js';
import { TransactionsModule } from './resources/transactions/transactions.module.js';

/** One module for each endpoint of section 4. */
const resources: Readonly<Record<Endpoint, Type>> = {
  accounts: AccountsModule,
  balances: BalancesModule,
  transactions: TransactionsModule,
  party: PartyModule,
  offers: OffersModule,
  'scheduled-payments': ScheduledPaymentsModule,
  beneficiaries: BeneficiariesModule,
  statements: StatementsModule,
  'direct-debits': DirectDebitsModule,
  'standing-orders': StandingOrdersModule,
  product: ProductModule,
};

/** The map. An endpoint that the profile lacks is not mounted at all: its route and its documentation vanish together. */
@Module({})
export class AppModule {
  static forRoot(parts: PlatformParts, persistence: DynamicModule): DynamicModule {
    const served = Object.keys(parts.profile.endpoints).filter(isEndpoint);
    return {
      module: AppModule,
      imports: [persistence, PlatformModule.forRoot(parts), ...served.map((endpoint) => resources[endpoint])],
    };
  }
}
