import { HttpService } from '@nestjs/axios';
import { Module, type OnModuleDestroy } from '@nestjs/common';
import { createHttpService, type Agents } from './http-service.js';

/** The one `HttpService` by which the gateway asks others. */
@Module({
  providers: [{ provide: HttpService, useFactory: createHttpService }],
  exports: [HttpService],
})
export class OutgoingModule implements OnModuleDestroy {
  constructor(private readonly http: HttpService) {}

  onModuleDestroy(): void {
    const { httpAgent, httpsAgent } = this.http.axiosRef.defaults as Agents;
    httpAgent.destroy();
    httpsAgent.destroy();
  }
}
