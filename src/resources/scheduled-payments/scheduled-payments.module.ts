import { Module } from '@nestjs/common';
import { ScheduledPaymentsController } from './scheduled-payments.controller.js';

@Module({ controllers: [ScheduledPaymentsController] })
export class ScheduledPaymentsModule {}
