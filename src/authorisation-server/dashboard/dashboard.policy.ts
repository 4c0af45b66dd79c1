/** The time without activity after which a session of the dashboard ends. */
export const dashboardIdleMs = 5 * 60_000;
