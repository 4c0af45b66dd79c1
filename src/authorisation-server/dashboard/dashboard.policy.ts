/** A session of the dashboard ends after so long without activity. */
export const dashboardIdleMs = 5 * 60_000;
