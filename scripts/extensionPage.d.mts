/** Types of scripts/extensionPage.mjs, for the tests of it. */
export function extensionPage(read: (file: string) => Buffer): string;
