import { Controller, Get, Header } from '@nestjs/common';
import type { JWK } from 'jose';
import { Type } from 'typebox';
import { stored } from '../consents/stored.js';
import { MountAt } from '../endpoint/mount-at.decorator.js';
import { EventKeys } from './event-keys.js';

export const eventKeysPath = '/.well-known/account-information/keys';

/** A JSON Web Key Set (RFC 7517). Each key has the members of its type. */
const KeySet = Type.Object({ keys: Type.Array(Type.Object({}, { additionalProperties: true })) });

/** Publishes the keys by which a TPP verifies its events. */
@Controller()
export class EventKeysController {
  constructor(private readonly keys: EventKeys) {}

  @MountAt(Get, [
    {
      path: eventKeysPath,
      declaration: { kind: 'public', name: 'event-keys' },
      schema: { hide: true, response: { 200: KeySet } },
    },
  ])
  @Header('cache-control', 'public, max-age=60')
  async published(): Promise<{ readonly keys: readonly JWK[] }> {
    const { published } = await stored(this.keys.current());
    return { keys: published.map(({ publicJwk }) => publicJwk) };
  }
}
