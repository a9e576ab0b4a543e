// Which test runs when: test/tiers.json says it, and this is the only reader.
//
// `npm test` is the quick tier: every file of test/, save those of `later`. Of a file in `partly`
// it runs only the tests whose full title holds one of the texts. `npm run test:all` runs every
// test of every file.
import { readFileSync } from 'node:fs';

/**
 * @typedef {{ later: string[], partly: Record<string, string[]>, skips: { reason: string }[] }} Tiers
 */

/** @returns {Tiers} */
export function readTiers() {
  return JSON.parse(readFileSync('test/tiers.json', 'utf8'));
}

/**
 * @param {readonly string[]} files below test/, as `cli/run.test.ts`
 * @param {Tiers} tiers
 * @param {'quick' | 'all'} tier
 * @returns {{ file: string, texts: string[] | null }[]} texts: null for the whole file
 */
export function chosen(files, { later, partly }, tier) {
  const chosenOf = (file) => {
    const name = nameInTiers(file);
    if (tier === 'all') return { file, texts: null };
    if (later.some((one) => (one.endsWith('/') ? name.startsWith(one) : name === one))) return null;
    return { file, texts: partly[name] ?? null };
  };
  return files.map(chosenOf).filter((one) => one !== null);
}

/** `cli/run.test.ts` is `cli/run` in test/tiers.json. */
export function nameInTiers(file) {
  return file.replace(/\.test\.ts$/, '');
}

/** The pattern for mocha of titles that hold one of the texts. */
export function patternOf(texts) {
  return texts.map((text) => text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)).join('|');
}

/** Folders whose files are quick, so that one process runs them all, from one bundle. */
export const quickFolders = ['base', 'contracts', 'core', 'extension', 'scenarios', 'workers'];

/** Folders whose tests drive the browser that comes with VS Code for tests: VS Code in it, or the page alone. */
export const browserFolders = ['vscode', 'webview'];

/** @param {string} file below `test/` */
export function needsVscode(file) {
  return browserFolders.includes(file.split('/')[0]) || nameInTiers(file).startsWith('agents/vscode');
}
