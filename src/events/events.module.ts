import { Module } from '@nestjs/common';
import { ConsentEventStore } from './consent-event.store.js';
import { EventKeysController } from './event-keys.controller.js';
import { EventKeys } from './event-keys.js';
import { EventMetrics } from './event-metrics.js';
import { EventsController } from './events.controller.js';
import { EventsService } from './events.service.js';
import { EventsSweep } from './events.sweep.js';
import { WaitingPolls } from './waiting-polls.js';

/** Events: TPPs learn of the changes of their consents. */
@Module({
  controllers: [EventKeysController, EventsController],
  providers: [ConsentEventStore, EventKeys, EventMetrics, EventsService, EventsSweep, WaitingPolls],
  exports: [EventKeys, EventsSweep],
})
export class EventsModule {}
