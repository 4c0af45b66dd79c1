import { Module } from '@nestjs/common';
import { PartyController } from './party.controller.js';

@Module({ controllers: [PartyController] })
export class PartyModule {}
