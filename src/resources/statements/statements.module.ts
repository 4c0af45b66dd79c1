import { Module } from '@nestjs/common';
import { StatementsController } from './statements.controller.js';

@Module({ controllers: [StatementsController] })
export class StatementsModule {}
