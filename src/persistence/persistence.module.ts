import type { DynamicModule } from '@nestjs/common';
import { Module } from '@nestjs/common';
import { PrismaService } from './prisma.service.js';

/** The open, migrated database. */
@Module({})
export class PersistenceModule {
  /** Closes what `open` opened when the application ends. */
  static register(open: () => Promise<PrismaService>): DynamicModule {
    return {
      module: PersistenceModule,
      global: true,
      providers: [{ provide: PrismaService, useFactory: open }],
      exports: [PrismaService],
    };
  }
}
