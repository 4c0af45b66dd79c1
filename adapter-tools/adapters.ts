import 'reflect-metadata';
import { NestFactory } from '@nestjs/core';
import { AdapterFactory } from '../src/adapter-factory.js';
import { AdaptersModule } from '../src/adapters.module.js';

/** Creates adapters as the gateway does, without a gateway. */
export async function adapterFactory(): Promise<AdapterFactory> {
  const nest = await NestFactory.createApplicationContext(AdaptersModule, { logger: false, abortOnError: false });
  return nest.get(AdapterFactory);
}
