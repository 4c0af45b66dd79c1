import { HttpService } from '@nestjs/axios';
import { Module, type OnApplicationShutdown } from '@nestjs/common';
import { createHttpService, type Agents } from './http-service.js';

/** The `HttpService` by which the gateway calls other servers. */
@Module({ providers: [{ provide: HttpService, useFactory: createHttpService }], exports: [HttpService] })
export class OutgoingModule implements OnApplicationShutdown {
  constructor(private readonly http: HttpService) {}

  onApplicationShutdown(): void {
    const { httpAgent, httpsAgent } = this.http.axiosRef.defaults as Agents;
    httpAgent.destroy();
    httpsAgent.destroy();
  }
}
