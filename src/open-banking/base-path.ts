/** The prefix of every path; the version segment is `v<major>.<minor>`. */
export const basePath = '/open-banking/v3.1/aisp';
