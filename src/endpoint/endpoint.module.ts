import { Global, Module } from '@nestjs/common';
import { GATEWAY_CONFIG, type GatewayConfig } from '../config/config.js';
import { CoreBankingModule } from '../core-banking/core-banking.module.js';
import { Cores } from '../core-banking/cores.js';
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
      inject: [Cores, PublicIds, PROFILE],
      useFactory: (cores: Cores, ids: PublicIds, profile: Profile) =>
        new ResourceReader(cores, ids, profile, {
          amounts: profile.amounts,
          pendingFields: profile.pendingFields,
          bankTimeZone: profile.rules.timeZone,
          pageSize: profile.rules.pageSize,
        }),
    },
    QueryCheck,
  ],
  exports: [ResourceReader, PageCursors, PublicIds, QueryCheck],
})
export class EndpointModule {}
