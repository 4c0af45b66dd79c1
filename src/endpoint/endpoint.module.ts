import { Global, Module } from '@nestjs/common';
import { GATEWAY_CONFIG, type GatewayConfig } from '../config/config.js';
import { CoreBankingModule } from '../core-banking/core-banking.module.js';
import { CoreBanking } from '../core-banking/core-banking.js';
import { QueryCheck } from './query.check.js';
import { ResourceReader } from './resource-reader.js';
import { PageCursors } from '../open-banking/page-cursor.js';
import { PublicIds } from '../open-banking/public-ids.js';
import { PROFILE, type Profile } from '../profiles/profile.js';

/** The parts that every resource uses. */
@Global()
@Module({
  imports: [CoreBankingModule],
  providers: [
    { provide: PublicIds, inject: [GATEWAY_CONFIG], useFactory: ({ idKey }: GatewayConfig) => new PublicIds(idKey) },
    {
      provide: PageCursors,
      inject: [GATEWAY_CONFIG],
      useFactory: ({ idKey }: GatewayConfig) => new PageCursors(idKey),
    },
    {
      provide: ResourceReader,
      inject: [CoreBanking, PublicIds, PROFILE, GATEWAY_CONFIG],
      useFactory: (core: CoreBanking, ids: PublicIds, profile: Profile, config: GatewayConfig) =>
        new ResourceReader(core, ids, profile, config.core.deadlineMs, {
          amounts: profile.amounts,
          pendingFields: profile.pendingFields,
          bankTimeZone: config.bankTimeZone,
          pageSize: config.pageSize,
        }),
    },
    QueryCheck,
  ],
  exports: [ResourceReader, PageCursors, PublicIds, QueryCheck],
})
export class EndpointModule {}
