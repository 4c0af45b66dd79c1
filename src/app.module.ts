import { Module, type DynamicModule, type Type } from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import { BankFacingModule } from './bank-facing/bank-facing.module.js';
import { ConsentRequestCheck } from './consents/consent-request.check.js';
import { AccountCheck, ConsentVersionCheck, PermissionCheck, ScopeCheck } from './consents/consent.checks.js';
import { ConsentsModule } from './consents/consents.module.js';
import { CoreBankingModule } from './core-banking/core-banking.module.js';
import { EmbeddedAuthorisationServerModule } from './authorisation-server/embedded-authorisation-server.module.js';
import { EndpointModule } from './endpoint/endpoint.module.js';
import { QueryCheck } from './endpoint/query.check.js';
import { EventsModule } from './events/events.module.js';
import { FundsModule } from './funds/funds.module.js';
import { ApiServer } from './boot/api-server.js';
import { BankSystemsModule, type GivenSystems } from './boot/bank-systems.module.js';
import { MeteredParts } from './boot/metered-parts.js';
import { ProcessModule, type ProcessParts } from './boot/process.module.js';
import { RequestChecks } from './boot/request-checks.js';
import { ServiceWatch } from './boot/service-watch.js';
import { OutagesModule } from './outages/outages.module.js';
import { QuotasModule } from './quotas/quotas.module.js';
import { UnattendedAccessCheck } from './quotas/unattended-access.check.js';
import { ChecksGuard, type RequestCheck, type RoutedRequest } from './request/checks.js';
import { AccountsModule } from './resources/accounts/accounts.module.js';
import { BalancesModule } from './resources/balances/balances.module.js';
import { BeneficiariesModule } from './resources/beneficiaries/beneficiaries.module.js';
import { DirectDebitsModule } from './resources/direct-debits/direct-debits.module.js';
import { isEndpoint, type Endpoint } from './resources/endpoints.js';
import { OffersModule } from './resources/offers/offers.module.js';
import { PartyModule } from './resources/party/party.module.js';
import { ProductModule } from './resources/product/product.module.js';
import { ScheduledPaymentsModule } from './resources/scheduled-payments/scheduled-payments.module.js';
import { StandingOrdersModule } from './resources/standing-orders/standing-orders.module.js';
import { StatementsModule } from './resources/statements/statements.module.js';
import { TransactionsModule } from './resources/transactions/transactions.module.js';
import { AuthenticationWindowCheck } from './sca/authentication-window.check.js';
import { ScaModule } from './sca/sca.module.js';
import { SecurityModule } from './security/security.module.js';
import { TrailModule } from './trail/trail.module.js';

/** One module for each endpoint. */
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

/** The checks of every routed request, in the order in which they run: a request is refused for the first of its faults. */
const checks: Type<RequestCheck<RoutedRequest>>[] = [
  ConsentRequestCheck,
  ScopeCheck,
  ConsentVersionCheck,
  PermissionCheck,
  AccountCheck,
  QueryCheck,
  AuthenticationWindowCheck,
  UnattendedAccessCheck,
];

/** The map. An endpoint that the profile lacks is not mounted at all: its route and its documentation vanish together. */
@Module({})
export class AppModule {
  static forRoot(persistence: DynamicModule, parts: ProcessParts, systems: GivenSystems): DynamicModule {
    const served = Object.keys(parts.profile.endpoints).filter(isEndpoint);
    return {
      module: AppModule,
      imports: [
        ProcessModule.forRoot(parts),
        persistence,
        TrailModule.forRoot(parts.trail),
        BankSystemsModule.forRoot(systems),
        EndpointModule,
        CoreBankingModule,
        SecurityModule,
        ConsentsModule,
        EventsModule,
        ScaModule,
        QuotasModule,
        ...served.map((endpoint) => resources[endpoint]),
        ...(parts.profile.rules.fundsConfirmation === undefined ? [] : [FundsModule]),
        OutagesModule,
        BankFacingModule,
        EmbeddedAuthorisationServerModule.forRoot(parts.config),
      ],
      providers: [
        RequestChecks,
        ApiServer,
        ServiceWatch,
        MeteredParts,
        {
          provide: APP_GUARD,
          inject: checks,
          useFactory: (...made: RequestCheck<RoutedRequest>[]) => new ChecksGuard(made),
        },
      ],
    };
  }
}
