import { versionAt, versions } from '../../src/versions/versions.js';
import { type Html, html } from '../web/html.js';
import type { WatchedRequest } from '../stack-messages.js';
import { type RequestStory, type StoryFilter, isRefused, passedChecks } from './request-log.js';
import { indented } from '../web/indented.js';
import { timeOf } from '../web/time.js';

/** The requests as they happen: a page of them, each with its story. */
export function requestsSection(
  { stories, older }: { readonly stories: readonly RequestStory[]; readonly older: boolean },
  filter: StoryFilter,
  count: number,
  /** The name of a TPP by its client id. */
  nameOf: (tpp: string) => string,
): Html {
  return html`<section id="requests" aria-labelledby="requests-title">
    <h2 id="requests-title">Requests</h2>
    <form method="get" action="/#requests" class="search" role="search">
      <label>Interaction id, path, TPP, consent or check <input name="find" value="${filter.find ?? ''}" /></label>
      <label class="choice"
        ><input type="checkbox" name="refused" value="yes" ${filter.refused ? 'checked' : undefined} /> Only
        refused</label
      >
      <button>Find</button>
    </form>
    <div data-live="requests">
      <p class="quiet">${count} since the start, the newest first. The latest 10,000 are kept.</p>
      ${
        stories.length === 0
          ? html`<p>
              No request
              ${filter.find || filter.refused ? 'fits' : 'has come yet: send one, for example by a line under “People”'}.
            </p>`
          : html`<ol class="stories" reversed start="${stories[0]?.number}">
              ${stories.map((story) => oneStory(story, nameOf))}
            </ol>`
      }
      ${pages(filter, older, stories)}
    </div>
  </section>`;
}

function oneStory(story: RequestStory, nameOf: (tpp: string) => string): Html {
  const { number, method, url, status, access, atMs, durationMs } = story;
  const refused = isRefused(story);
  return html`<li>
    <details id="request-${number}">
      <summary>
        <span class="status ${refused ? 'refused' : 'answered'}">${status ?? 'no answer'}</span>
        <span class="what">${method} ${path(url)}</span>
        ${fundsAnswer(story)} ${access?.refusedBy && html`<span class="why">refused by “${access.refusedBy}”</span>`}
        <span class="quiet">${access?.tpp && nameOf(access.tpp)} ${timeOf(atMs)} ${durationMs} ms</span>
      </summary>
      <dl>
        ${row('Interaction id', story.interactionId)} ${row('TPP', access?.tpp)} ${row('Consent', access?.consentId)}
        ${row('Request', `${method} ${url}`)} ${checksRow(story)} ${readsRow(story)} ${answerRow(story)}
      </dl>
      <p>
        <a href="/why?id=${story.interactionId}" aria-label="Why the gateway answered so: ${method} ${path(url)}"
          >Why the gateway answered so</a
        >
      </p>
    </details>
  </li>`;
}

/** The answer to a check of funds. */
function fundsAnswer({ body }: RequestStory): Html | undefined {
  const [, isAvailable] = /"FundsAvailable":(true|false)/.exec(body) ?? [];
  return isAvailable === undefined ? undefined : html`<b>funds: ${isAvailable === 'true' ? 'yes' : 'no'}</b>`;
}

function row(name: string, value: Html | string | undefined): Html | undefined {
  return value === undefined || value === ''
    ? undefined
    : html`<dt>${name}</dt>
        <dd>${value}</dd>`;
}

function checksRow(story: RequestStory): Html | undefined {
  const { access } = story;
  const passed = passedChecks(story);
  const list = passed && (passed.length === 0 ? 'none' : passed.join(', '));
  return html`${row('Checks passed', list)}
  ${row('Refused by', access?.refusedBy && html`<b>${access.refusedBy}</b> (error ${access.error})`)}
  ${row('Error', access?.refusedBy === undefined ? access?.error : undefined)}`;
}

function readsRow({ reads }: RequestStory): Html | undefined {
  if (reads === undefined) return undefined;
  return row(
    'The core was asked',
    reads.length === 0
      ? 'nothing'
      : html`<ul>
          ${reads.map(
            (read: WatchedRequest) =>
              html`<li>${read.method} ${read.url}: ${read.status ?? 'no answer'} in ${read.durationMs} ms</li>`,
          )}
        </ul>`,
  );
}

function answerRow({ status, headers, body }: RequestStory): Html {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\n`);
  return html`<dt>Answer</dt>
    <dd>
      <pre tabindex="0" aria-label="Answer">
${status ?? 'no answer'}
${lines}${indented(body)}</pre>
    </dd>`;
}

function pages(filter: StoryFilter, older: boolean, stories: readonly RequestStory[]): Html | undefined {
  const link = (before: number | undefined): string => {
    const query = new URLSearchParams({
      ...(filter.find && { find: filter.find }),
      ...(filter.refused && { refused: 'yes' }),
      ...(before !== undefined && { before: String(before) }),
    });
    return `/?${query.toString()}#requests`;
  };
  const last = stories.at(-1)?.number;
  return html`<p class="pages">
    ${filter.before === undefined ? undefined : html`<a href="${link(undefined)}">Newest requests</a>`}
    ${older ? html`<a href="${link(last)}">Older requests</a>` : undefined}
  </p>`;
}

/** Short: of a path of the API, the name of its version stands for all that comes before. */
function path(url: string): string {
  const version = versionAt(url, versions);
  const [shown = ''] = url.split('?', 1);
  if (version === undefined) return shown;
  const prefix = [version.basePath, version.fundsPath].find((start) => shown.startsWith(`${start}/`));
  return `${version.name} ${shown.slice((prefix ?? version.rootPath).length)}`;
}
