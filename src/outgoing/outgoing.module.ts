import { HttpService } from '@nestjs/axios';
import { Module } from '@nestjs/common';
import { createHttpService } from './http-service.js';

/** The one `HttpService` by which the gateway asks others. */
@Module({
  providers: [{ provide: HttpService, useFactory: createHttpService }],
  exports: [HttpService],
})
export class OutgoingModule {}
