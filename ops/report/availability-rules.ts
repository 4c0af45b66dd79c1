/** Unanswered requests in a row, and the time within which all were received, that make the interface unavailable. */
export const requestsInRow = 5;
export const unavailableAfterMs = 30_000;

/** A caller that waited this long and left got no answer. A core has 3 seconds, unless the bank sets CORE_DEADLINE_MS. */
export const abandonedAfterMs = 10_000;

/** A time without any process that is not longer leaves no room for the rule of 30 seconds. */
export const longestSilenceMs = 30_000;

/** The rules of availability, as each report states them. */
export const availabilityRules: readonly string[] = [
  'The trail is the gateway’s record of every request.',
  'Days are UTC days, from midnight to midnight, of 86,400 seconds each.',
  'A request counts where a TPP sent it to an endpoint of the API, or of the authorization server for TPPs; documentation, published facts, unknown paths, health checks and customers’ pages do not.',
  'A request is unanswered where the answer was a 5xx, or where the caller left after it had waited for 10 seconds or longer. A 4xx is an answer. A caller that left earlier (499) neither counts as unanswered nor as answered.',
  'A poll for events waits for an event: this wait is in no time.',
  'Beyond a few a second, the trail counts requests of unidentified callers together: each of them counts, without its time and its length.',
  'The interface is down where five requests in a row, of whichever TPPs and processes, are unanswered and all were received within 30 seconds. The downtime begins with the receipt of the first of them, and ends with the receipt of the next request that is answered. Requests are ordered by the time of their receipt.',
  'The interface is also down for as long as no process of the gateway ran, where this lasted for more than 30 seconds: from the last event of the processes before it to the first event of the next process.',
  'Downtime inside a planned outage is planned downtime. An outage counts from the moment at which it was entered, up to its planned end or its removal; time beyond it is unplanned. Both kinds are downtime.',
  'Uptime is 100 % minus the share of downtime in the seconds that the trail covers. A day without any event, or that the retention deleted, is neither up nor down: it is marked, and so is a day that the trail covers in part. The time before the first and after the last event of the trail, and a silence that contains a day without events, is not covered.',
];
