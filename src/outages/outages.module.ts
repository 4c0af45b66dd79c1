import { Module } from '@nestjs/common';
import { PlannedOutages } from './planned-outages.js';
import { PlannedOutagesStore } from './planned-outages.store.js';

@Module({ providers: [PlannedOutages, PlannedOutagesStore], exports: [PlannedOutages] })
export class OutagesModule {}
