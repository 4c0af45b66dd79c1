import { dashboardPath } from '../customer-pages.js';
import { searchFields, shownParts, type DashboardSearch } from '../dashboard-views.js';
import { html, type Html } from '../html.js';
import type { Site } from '../site.js';

/** A search changes nothing: its form has no token, and its address can be kept. */
export function searchForm({ say }: Site, search: DashboardSearch): Html {
  const names = {
    all: say('dashboard.show.all'),
    current: say('dashboard.current'),
    past: say('dashboard.past'),
  } as const;
  return html`<form class="search" method="get" action="${dashboardPath}" role="search">
    <p>
      <label for="${searchFields.tpp}">${say('dashboard.find-tpp')}</label>
      <input
        id="${searchFields.tpp}"
        name="${searchFields.tpp}"
        type="search"
        autocomplete="off"
        maxlength="100"
        value="${search.tpp}"
      />
    </p>
    <p>
      <label for="${searchFields.show}">${say('dashboard.show')}</label>
      <select id="${searchFields.show}" name="${searchFields.show}">
        ${shownParts.map(
          (part) => html`<option value="${part}" ${part === search.show && html` selected`}>${names[part]}</option>`,
        )}
      </select>
    </p>
    <button class="button other" type="submit">${say('dashboard.search')}</button>
  </form>`;
}
