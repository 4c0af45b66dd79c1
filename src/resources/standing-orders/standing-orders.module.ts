import { Module } from '@nestjs/common';
import { StandingOrdersController } from './standing-orders.controller.js';

@Module({ controllers: [StandingOrdersController] })
export class StandingOrdersModule {}
