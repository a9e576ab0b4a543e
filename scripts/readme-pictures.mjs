// Pictures of the README and the icon, from what the tests in the real VS Code have seen.
//
//   npm run test:vscode && npm run test:unit -- cli/terminalPictures && node scripts/readme-pictures.mjs
//   node scripts/readme-pictures.mjs recording lanes      only these, after the tests that see them
//
// Copies screenshots from .artifacts/screenshots/ and drawn terminals from .artifacts/terminal/ to
// media/. Makes media/recording.png of the screenshots of one mission. Draws media/icon.png from
// media/icon.svg.
import { copyFile, readFile, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import process from 'node:process';
import { animated } from './apng.mjs';
import { findBrowser, installVscodeTools } from './vscode-server.mjs';

const root = path.resolve(import.meta.dirname, '..');
process.chdir(root);
const pictures = ['mission-control', 'lanes', 'problems', 'terminal', 'approval', 'escalation', 'doctor', 'sample'];
/** Output of `mission`, drawn (test/cli/terminalPictures.test.ts). */
const terminals = ['events', 'evidence', 'memory', 'orchestrator', 'revision', 'sandbox'];
/**
 * One mission from its approval to its evidence (test/vscode/resolveBlocker.test.ts); each picture with its seconds.
 */
const recording = [
  ['recording-1-approval', 3],
  ['recording-2-running', 2.5],
  ['recording-3-blocked', 3.5],
  ['recording-4-outcomes', 3.5],
  ['recording-5-reason', 2.5],
  ['recording-6-again', 2.5],
  ['recording-7-completed', 3],
  ['recording-8-evidence', 3.5],
];
const iconSize = 128;

/** Every picture by its name, and how it is made. */
const makers = new Map([
  ...pictures.map((name) => [name, () => copied(`screenshots/${name}.png`)]),
  ...terminals.map((name) => [name, () => copied(`terminal/${name}.svg`)]),
  ['recording', recorded],
  ['icon', drawnIcon],
]);

const asked = process.argv.slice(2);
const unknown = asked.filter((name) => !makers.has(name));
if (unknown.length > 0) {
  console.error(`There is no picture ${unknown.join(', ')}. These are: ${[...makers.keys()].join(', ')}.`);
  process.exit(2);
}
for (const [name, make] of makers) if (asked.length === 0 || asked.includes(name)) console.log(await make());

async function copied(file) {
  const picture = `media/${path.basename(file)}`;
  await copyFile(`.artifacts/${file}`, picture);
  return picture;
}

async function recorded() {
  const frames = recording.map(async ([name, seconds]) => {
    return { png: await readFile(`.artifacts/screenshots/${name}.png`), seconds };
  });
  await writeFile('media/recording.png', animated(await Promise.all(frames)));
  return 'media/recording.png';
}

async function drawnIcon() {
  await installVscodeTools(root, console.log);
  const { executablePath, env } = await findBrowser(root);
  const { chromium } = createRequire(path.join(root, 'test/tools/vscode/package.json'))('playwright-core');
  const browser = await chromium.launch({ executablePath, env: { ...process.env, ...env }, args: ['--no-sandbox'] });
  try {
    const page = await browser.newPage({ viewport: { width: iconSize, height: iconSize } });
    const svg = await readFile('media/icon.svg', 'utf8');
    await page.setContent(
      `<style>body{margin:0}svg{display:block;width:${iconSize}px;height:${iconSize}px}</style>${svg}`,
    );
    await writeFile('media/icon.png', await page.screenshot({ omitBackground: true }));
    return 'media/icon.png';
  } finally {
    await browser.close();
  }
}
