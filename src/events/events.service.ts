import { Inject, Injectable } from '@nestjs/common';
import { GATEWAY_CONFIG, type GatewayConfig } from '../config/config.js';
import { stored } from '../consents/stored.js';
import type { ApiVersion } from '../endpoint/api-version.js';
import { PublicIds } from '../open-banking/public-ids.js';
import type { TppId } from '../open-banking/tpp-id.js';
import { PROFILE, type Profile } from '../profiles/profile.js';
import type { RequestContext } from '../request/request-context.js';
import { versionsNamed } from '../versions/versions.js';
import { ConsentEventStore, type SettledEvents } from './consent-event.store.js';
import { EventKeys } from './event-keys.js';
import { mostEvents, type EventPolling, type EventPollingResponse } from './events.schema.js';
import { claimsOf } from './security-event.js';
import { WaitingPolls } from './waiting-polls.js';

/** The request of a poll, as its answer needs it. */
export interface Poll {
  readonly tpp: TppId;
  readonly version: ApiVersion;
  readonly baseUrl: string;
  /** Its wait for an event is not in the times of the request. */
  readonly context: Pick<RequestContext, 'wait'>;
  /** Aborted when the caller has gone. */
  readonly gone: AbortSignal;
  /** Checks once more, after a wait, that the TPP may ask. Throws where it may not. */
  readonly admitAgain: () => Promise<void>;
}

/** The events of a TPP: it says which it knows, and gets those that it does not know. */
@Injectable()
export class EventsService {
  constructor(
    private readonly store: ConsentEventStore,
    private readonly waiting: WaitingPolls,
    private readonly keys: EventKeys,
    private readonly ids: PublicIds,
    @Inject(GATEWAY_CONFIG) private readonly config: Pick<GatewayConfig, 'baseUrl'>,
    @Inject(PROFILE) private readonly profile: Pick<Profile, 'rules'>,
  ) {}

  async poll(asked: EventPolling, poll: Poll): Promise<EventPollingResponse> {
    const { tpp } = poll;
    const limit = Math.min(asked.maxEvents ?? mostEvents, mostEvents);
    await stored(this.store.settle(tpp, settledOf(asked)));
    if (limit === 0) return { sets: {}, moreAvailable: (await stored(this.store.withEvents([tpp]))).length > 0 };
    const answer = await this.answer(poll, limit);
    if (Object.keys(answer.sets).length > 0 || asked.returnImmediately === true) return answer;
    const wait: RequestContext['wait'] = { begunMs: performance.now() };
    poll.context.wait = wait;
    await this.waiting.wait(tpp, poll.gone);
    wait.endedMs = performance.now();
    if (poll.gone.aborted) return answer;
    await poll.admitAgain();
    return this.answer(poll, limit);
  }

  private async answer({ tpp, version, baseUrl }: Poll, limit: number): Promise<EventPollingResponse> {
    const found = await stored(this.store.waiting(tpp, limit + 1));
    const given = found.slice(0, limit);
    if (given.length === 0) return { sets: {}, moreAvailable: false };
    const versions = versionsNamed(this.profile.rules.versions);
    const setting = { version, versions, issuer: this.config.baseUrl, baseUrl, ids: this.ids };
    const tokens = await stored(this.keys.sign(given.map((event) => claimsOf(event, tpp, setting))));
    const sets = Object.fromEntries(given.map(({ eventId }, index) => [eventId, tokens[index] ?? '']));
    return { sets, moreAvailable: found.length > limit };
  }
}

function settledOf({ ack = [], setErrs = {} }: EventPolling): SettledEvents {
  return { acknowledged: ack, faulty: Object.keys(setErrs) };
}
