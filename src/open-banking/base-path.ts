/** The path prefix of section 2.1; the version segment is `v<major>.<minor>`. */
export const basePath = '/open-banking/v3.1/aisp';
