import { closeBrowser, sharedBrowser } from '../vscode/harness/browser';

// Test files share a process and its browser, which ends after the last of them. The benchmark has no mocha.
if ('after' in globalThis) after(closeBrowser);

export { closeBrowser, sharedBrowser };
