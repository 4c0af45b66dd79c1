import { Module } from '@nestjs/common';
import { DirectDebitsController } from './direct-debits.controller.js';

@Module({ controllers: [DirectDebitsController] })
export class DirectDebitsModule {}
