// Bundles the programs into dist/ and, with --tests, every test into dist-test/.
//
//   node scripts/build.mjs [--minify] [--watch] [--tests [folder ...]]
//
// All Node bundles are CommonJS. dist/ bundles contain every package they use, so the extension and
// the CLI run without node_modules. Only `vscode` and Node's own modules stay outside. dist-test/
// mirrors test/, one bundle per `*.test.ts` (and per `*.program.ts`, a process some test starts)
// with packages left outside; folders after --tests (`core`, `adapters/journal`) restrict it to
// those. Without such folders, the tests of a room are one bundle: code that many of them use is
// then bundled once, and in one process loaded and warm once.
//
// A build writes output only where it differs, and removes stale files last. So it pulls no files
// away under a test run that is under way. One broken entry point does not keep the others from
// being built.
import './project-node.mjs';
import { createHash } from 'node:crypto';
import fs, { chmod, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { parseArgs } from 'node:util';
import esbuild from 'esbuild';
import { inAscii } from './ascii.mjs';
import { builtValidators } from './built-validators.mjs';
import { dagreSources } from './dagre.mjs';
import { apart, parts } from './parts.mjs';
import { thirdParty } from './third-party.mjs';
import { quickFolders } from './tiers.mjs';

const { values: flags, positionals: testFolders } = parseArgs({
  allowPositionals: true,
  options: {
    tests: { type: 'boolean', default: false },
    minify: { type: 'boolean', default: false },
    watch: { type: 'boolean', default: false },
  },
});
const root = path.resolve(import.meta.dirname, '..');
// Not imported by name, because an older Node lacks it and must come as far as project-node.mjs.
const { glob } = fs;
process.chdir(root);

const shared = {
  bundle: true,
  minify: flags.minify,
  sourcemap: !flags.minify,
  sourcesContent: false,
  legalComments: 'none',
  write: false,
  metafile: true,
  logLevel: 'warning',
  logOverride: { 'empty-import-meta': 'error' },
};
// Replaces its CommonJS build, because that asks for its own files in a way that no bundler can follow.
const bundledPackages = { 'jsonc-parser': 'jsonc-parser/lib/esm/main.js' };
/** Built before everything else, because the other programs know them by their digests. */
const supervisorFile = 'dist/supervisor.cjs';
const mcpFile = 'dist/mcp.js';
const digestOf = async (file) =>
  createHash('sha256')
    .update(await readFile(file))
    .digest('hex');
const knowsPrograms = {
  name: 'digests of programs',
  setup: (build) =>
    build.onLoad({ filter: /[\\/]src[\\/]adapters[\\/]user[\\/]programDigests\.ts$/ }, async () => {
      const contents = `export const supervisorDigest = '${await digestOf(supervisorFile)}';
export const mcpDigest = '${await digestOf(mcpFile)}';`;
      return { contents, loader: 'ts', watchFiles: [supervisorFile, mcpFile].map((file) => path.resolve(file)) };
    }),
};
const nodeProgram = {
  ...shared,
  plugins: [knowsPrograms, builtValidators],
  platform: 'node',
  format: 'cjs',
  target: 'node24',
  external: ['vscode'],
  alias: bundledPackages,
};
/** A program that asks for its parts by require(), because import() would start another loader of modules. */
const parted = {
  ...nodeProgram,
  plugins: [knowsPrograms, apart, builtValidators],
  supported: { 'dynamic-import': false },
};
/** An older target, because the machine's own Node (20 or later) parses these. A command then hands over to a newer one. */
const anyNode = { target: 'node20' };

const known = (label, entry) => ({
  label,
  options: { ...nodeProgram, plugins: [], entryPoints: [entry], outfile: label },
});
// `.cjs`, because it starts where a foreign package.json may say what `.js` means. The other starts only from a copy
// named `.cjs`.
const knownPrograms = [known(supervisorFile, 'src/supervisor/main.ts'), known(mcpFile, 'src/mcp/main.ts')];
/** One esbuild run per program: a syntax error in one leaves the others usable. */
const programs = [
  { name: 'dist/extension.js', entry: 'src/extension/extension.ts', options: parted },
  { name: 'dist/activation.js', entry: 'src/extension/activation.ts', options: parted },
  { name: 'dist/cli.js', entry: 'src/cli/cli.ts', options: { ...parted, ...anyNode }, executable: true },
  { name: 'dist/mission.js', entry: 'src/cli/main.ts', options: { ...parted, ...anyNode } },
  { name: 'dist/journalThread.js', entry: 'src/adapters/journal/thread.ts', options: parted },
  { name: 'dist/workspaceThread.js', entry: 'src/adapters/workspace/thread.ts', options: parted },
  ...Object.entries(parts).map(([name, entry]) => ({
    name: `dist/${name}.js`,
    entry,
    options: { ...nodeProgram, ...anyNode },
  })),
  {
    name: 'dist/webview/page.js',
    entry: 'webview-ui/src/page.tsx',
    options: {
      ...shared,
      plugins: [dagreSources],
      platform: 'browser',
      format: 'iife',
      target: 'es2023',
      jsx: 'automatic',
      jsxImportSource: 'preact',
    },
  },
  {
    name: 'dist/webview/browser.js',
    entry: 'webview-ui/src/browser.ts',
    options: { ...shared, platform: 'browser', format: 'iife', target: 'es2023' },
  },
];

/** @returns {Promise<{ label: string, options: import('esbuild').BuildOptions, executable?: boolean }[]>} */
async function planPrograms() {
  const jobs = [];
  for (const { name, entry, options, executable = false } of programs) {
    const banner = executable ? { js: '#!/usr/bin/env node' } : {};
    jobs.push({ label: name, executable, options: { ...options, banner, entryPoints: [entry], outfile: name } });
  }
  return jobs;
}

/** True for a path below test/ or dist-test/ that the folders after --tests include. */
function wantedTest(file) {
  const inTests = file.replaceAll('\\', '/').replace(/^(dist-)?test\//, '');
  return testFolders.length === 0 || testFolders.some((folder) => inTests.startsWith(folder.replace(/^test\//, '')));
}

/**
 * Plans esbuild runs for each room of test/, for speed. One room's broken test does not stop the
 * others.
 */
async function planTests() {
  const options = {
    ...nodeProgram,
    minify: false,
    sourcemap: true,
    packages: 'external',
    alias: {},
    outbase: 'test',
    outdir: 'dist-test',
  };
  const byRoom = new Map();
  for await (const found of glob('test/**/*.{test,program}.ts')) {
    const entry = found.replaceAll('\\', '/');
    if (/^test\/(tools|fixtures)\//.test(entry) || entry.includes('/node_modules/') || entry.includes('/fixtures/'))
      continue;
    const folder = entry.split('/').slice(1, -1)[0] ?? '.';
    const room = quickFolders.includes(folder) ? 'quick' : folder;
    byRoom.set(room, [...(byRoom.get(room) ?? []), entry]);
  }
  const jobs = [];
  for (const [room, entries] of byRoom) {
    // Builds programs of other folders too, because a test may start them.
    const wanted = entries.filter((entry) => entry.endsWith('.program.ts') || wantedTest(entry)).sort();
    const shared = testFolders.length > 0 ? [] : await sharing(wanted);
    const alone = wanted.filter((entry) => !shared.includes(entry));
    if (alone.length > 0) jobs.push({ label: `dist-test/${room}`, options: { ...options, entryPoints: alone } });
    if (shared.length > 0) jobs.push(together(room, shared, options));
  }
  // Files that mocha loads in every run (.mocharc.json).
  const loaded = ['test/support/home.ts', 'test/support/poison.ts'];
  jobs.push({ label: 'dist-test/support', options: { ...options, entryPoints: loaded } });
  // Bundles everything but mocha, because it runs inside a VS Code extension host, whose Node is VS Code's.
  if (existsSync('test/vscode/suite/index.ts') && wantedTest('test/vscode/suite/index.ts')) {
    jobs.push({
      label: 'dist-test/vscode/suite',
      options: {
        ...options,
        packages: 'bundle',
        alias: bundledPackages,
        external: ['vscode', 'mocha'],
        entryPoints: ['test/vscode/suite/index.ts'],
      },
    });
  }
  return jobs;
}

/**
 * The tests that can share a bundle. A program cannot, nor a test that replaces VS Code, because it needs its own copy
 * of the product.
 */
async function sharing(entries) {
  const tests = entries.filter((entry) => !entry.endsWith('.program.ts'));
  const texts = await Promise.all(tests.map((entry) => readFile(entry, 'utf8')));
  return tests.filter((_, index) => !texts[index].includes("/fakeVscode'"));
}

/** Bundles the tests of a room as one, which evaluates each module once, when a test asks for it. */
function together(room, entries, { outdir, ...options }) {
  const of = (entry) => path.posix.relative('test', entry);
  const contents = `module.exports = {
${entries.map((entry) => `  '${of(entry)}': () => require('./${entry}'),`).join('\n')}
};`;
  const outfile = `${outdir}/${room}.room.js`;
  return {
    label: `dist-test/${room}`,
    options: { ...options, stdin: { contents, resolveDir: root, sourcefile: `${room}.room.ts` }, outfile },
    // Makes the files that mocha gets: one for each test file, at the place of its path below test/.
    more: entries.map((entry) => {
      const file = `${outdir}/${of(entry).replace(/ts$/, 'js')}`;
      const bundle = path.posix.relative(path.posix.dirname(file), outfile);
      return { path: file, contents: `require('${bundle}')['${of(entry)}']();\n` };
    }),
  };
}

async function writeWhereDifferent(file, contents, mode) {
  const current = await readFile(file).catch((error) => {
    if (error.code === 'ENOENT') return null;
    throw error;
  });
  if (current === null || !current.equals(contents)) {
    await mkdir(path.dirname(file), { recursive: true });
    const temporary = `${file}.${process.pid}.tmp`;
    await writeFile(temporary, contents);
    if (mode !== undefined) await chmod(temporary, mode);
    await rename(temporary, file);
  } else if (mode !== undefined) {
    await chmod(file, mode);
  }
}

async function emit(job, result, written) {
  for (const { path: file, contents } of [...result.outputFiles, ...(job.more ?? [])]) {
    const executable = job.executable === true && file.endsWith('.js');
    const isProgram = job.options.platform === 'node' && job.label.startsWith('dist/') && !file.endsWith('.map');
    const text = isProgram ? inAscii(Buffer.from(contents).toString()) : contents;
    await writeWhereDifferent(file, Buffer.from(text), executable ? 0o755 : undefined);
    written.add(path.relative(root, file));
  }
}

async function copyStyles(written) {
  for await (const found of glob('webview-ui/src/*.css')) {
    const target = path.join('dist/webview', path.basename(found));
    const { code } = await esbuild.transform(await readFile(found, 'utf8'), { loader: 'css', minify: flags.minify });
    await writeWhereDifferent(target, Buffer.from(code));
    written.add(target);
  }
}

async function removeStale(directory, written, concerned = () => true) {
  for await (const found of glob(`${directory}/**/*.{js,cjs,map,css}`)) {
    if (!written.has(found) && concerned(found)) await rm(found, { force: true });
  }
}

async function buildOnce(jobs) {
  const written = new Set();
  const bundled = new Set();
  const run = async (job) => {
    const result = await esbuild.build(job.options);
    if (!job.label.startsWith('dist-test')) for (const file of Object.keys(result.metafile.inputs)) bundled.add(file);
    await emit(job, result, written);
  };
  const outcomes = await Promise.allSettled(knownPrograms.map(run));
  outcomes.push(...(await Promise.allSettled(jobs.slice(knownPrograms.length).map(run))));
  await copyStyles(written);
  const failed = jobs.filter((_, index) => outcomes[index].status === 'rejected');
  outcomes.forEach((outcome, index) => {
    // Shows other errors only, because esbuild has printed its own findings.
    if (outcome.status === 'rejected' && outcome.reason?.errors === undefined) console.error(outcome.reason);
    if (outcome.status === 'rejected') console.error(`build: ${jobs[index].label} failed`);
  });
  if (failed.length === 0) {
    await writeWhereDifferent('dist/THIRD-PARTY.txt', Buffer.from(await thirdParty(bundled, root)));
    await removeStale('dist', written);
    if (flags.tests) await removeStale('dist-test', written, wantedTest);
  }
  return failed.length === 0;
}

async function watch(jobs) {
  for (const job of jobs) {
    const context = await esbuild.context({
      ...job.options,
      logLevel: 'info',
      plugins: [
        ...(job.options.plugins ?? []),
        {
          name: 'emit',
          setup: (build) =>
            build.onEnd(async (result) => {
              if (result.errors.length === 0) await emit(job, result, new Set());
            }),
        },
      ],
    });
    // Builds once to the end, for builds that come after it.
    await context.rebuild().catch(() => undefined);
    await context.watch();
  }
  await copyStyles(new Set());
}

const jobs = [...knownPrograms, ...(await planPrograms()), ...(flags.tests ? await planTests() : [])];
if (flags.watch) {
  await watch(jobs);
} else if (!(await buildOnce(jobs))) {
  process.exitCode = 1;
}
