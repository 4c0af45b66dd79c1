import { Module } from '@nestjs/common';
import { AnnouncedChanges } from './announced-changes.js';
import { AnnouncedChangesStore } from './announced-changes.store.js';
import { PlannedOutages } from './planned-outages.js';
import { PlannedOutagesStore } from './planned-outages.store.js';

@Module({
  providers: [AnnouncedChanges, AnnouncedChangesStore, PlannedOutages, PlannedOutagesStore],
  exports: [AnnouncedChanges, PlannedOutages],
})
export class OutagesModule {}
