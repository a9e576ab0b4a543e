import { findBrowser } from '../../../scripts/vscode-server.mjs';
import type { Browser } from './playwright';
import { loadPlaywright } from './playwright';

let running: Promise<Browser> | undefined;

/** One headless browser for the whole test process; each server gets a profile (context) of its own in it. */
export async function sharedBrowser(): Promise<Browser> {
  running ??= launch();
  const browser = await running;
  if (browser.isConnected()) return browser;
  running = launch();
  return running;
}

export async function closeBrowser(): Promise<void> {
  const browser = await running;
  running = undefined;
  await browser?.close();
}

/** The next server gets another one. */
export function forgetBrowser(): void {
  running = undefined;
}

async function launch(): Promise<Browser> {
  const { executablePath, env } = await findBrowser(process.cwd());
  return loadPlaywright().chromium.launch({
    executablePath,
    env: { PATH: process.env['PATH'], HOME: process.env['HOME'], LANG: 'C.UTF-8', ...env },
    headless: true,
    // No sandbox: it needs a user namespace or a setuid helper, and the only page is our own server's.
    args: ['--no-sandbox', '--disable-gpu', '--no-first-run', '--disable-background-networking'],
  });
}
