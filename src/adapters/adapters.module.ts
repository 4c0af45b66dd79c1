import { Module } from '@nestjs/common';
import { AdapterFactory } from './adapter-factory.js';
import { OutgoingModule } from '../outgoing/outgoing.module.js';

@Module({ imports: [OutgoingModule], providers: [AdapterFactory], exports: [AdapterFactory] })
export class AdaptersModule {}
