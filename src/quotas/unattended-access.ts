import {
  Inject,
  Injectable,
  Logger,
  type BeforeApplicationShutdown,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { BankClock } from '../clock/clock.js';
import { GATEWAY_CONFIG, type GatewayConfig, type UnattendedAccessConfig } from '../config/config.js';
import { PrismaService } from '../persistence/prisma.service.js';
import { sweepAll } from '../persistence/sweep.js';
import { UnattendedReads, writeEveryMs } from './unattended-reads.js';
import { sweepUnattendedReads, UnattendedReadsStore } from './unattended-reads.store.js';

/** The counts of unattended reads, and the work that keeps them in the database. */
@Injectable()
export class UnattendedAccess implements OnApplicationBootstrap, BeforeApplicationShutdown {
  readonly settings: UnattendedAccessConfig;
  readonly reads: UnattendedReads;
  private readonly logger = new Logger(UnattendedAccess.name);
  private timer: NodeJS.Timeout | undefined;

  constructor(
    @Inject(GATEWAY_CONFIG) { unattendedAccess }: Pick<GatewayConfig, 'unattendedAccess'>,
    private readonly prisma: PrismaService,
    private readonly clock: BankClock,
  ) {
    this.settings = unattendedAccess;
    this.reads = new UnattendedReads(new UnattendedReadsStore(prisma), unattendedAccess.limit);
  }

  onApplicationBootstrap(): void {
    this.timer = setInterval(() => void this.tend(), writeEveryMs).unref();
  }

  async beforeApplicationShutdown(): Promise<void> {
    clearInterval(this.timer);
    await this.tend();
  }

  private async tend(): Promise<void> {
    try {
      await this.reads.write();
      await sweepAll(sweepUnattendedReads, this.prisma, this.clock.nowMs());
    } catch (error) {
      this.logger.error('unattended reads could not be written; they are kept and tried again', error);
    }
  }
}
