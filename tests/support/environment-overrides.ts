/** What a test file wants set otherwise on its site; filled before the site is imported. */
export const environmentOverrides: Record<string, string> = {};
