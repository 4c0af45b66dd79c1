import { Module, Scope } from '@nestjs/common';
import { REQUEST } from '@nestjs/core';
import { CORE_SETTINGS } from '../packages/core-adapter/core-settings.js';
import { AdapterFactory } from './adapter-factory.js';
import { CUSTOMER_AUTHENTICATION_SETTINGS } from './customer-authentication/customer-authentication.js';
import { OutgoingModule } from './outgoing/outgoing.module.js';

/** Nest's scope of a request stands for one creation of an adapter here: the settings are what it is created with. */
const settings = (provide: symbol) => ({
  ...{ provide, scope: Scope.REQUEST, inject: [REQUEST] },
  useFactory: (given: object) => given,
});

/** An adapter can inject whatever this module has: its settings, and the `HttpService`. */
@Module({
  imports: [OutgoingModule],
  providers: [AdapterFactory, settings(CORE_SETTINGS), settings(CUSTOMER_AUTHENTICATION_SETTINGS)],
  exports: [AdapterFactory],
})
export class AdaptersModule {}
