import type { AccessRequest } from './customer-pages.js';
import { html, type Html } from './html.js';
import type { Site } from './site.js';

type Tpp = AccessRequest['tpp'];

/** A name from outside. It is isolated, so that right-to-left text in it cannot reorder the sentence. */
export function outsideName(name: string): Html {
  return html`<bdi>${name}</bdi>`;
}

/** The TPP as customers know it, after its agent where it has one. */
export function tppName({ say }: Site, { name, agent }: Tpp): Html {
  if (name === undefined) return say('tpp.unknown');
  const tpp = outsideName(name);
  return agent === undefined ? tpp : say('tpp.on-behalf-of', { agent: outsideName(agent), tpp });
}
