import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { readRegularFile, statsOf } from '../../files/regular';
import type { HomeMount, Environment } from '../facts/facts';
import { trace } from './symlinkTrace';

export interface PnpmAsked {
  readonly environment: Environment;
  readonly home: string | null;
  readonly workspace: string;
  /** Where pnpm keeps its settings of a person depends on it. */
  readonly platform: 'linux' | 'darwin';
}

export interface StoreAsked extends Omit<PnpmAsked, 'platform'> {
  /** The private layers of a launch. */
  readonly layers: readonly HomeMount[];
}

/** The names under which releases of pnpm read the place of the store. */
export const storeVariables = ['pnpm_config_store_dir', 'npm_config_store_dir'] as const;

/** Returns the variables that lead pnpm on Linux to the layer of the person's store. */
export async function pnpmVariables(asked: StoreAsked): Promise<Readonly<Record<string, string>>> {
  const store = storeOf(asked);
  if (store === null) return {};
  const { path: at } = trace(store);
  if (!asked.layers.some((layer) => ['layer', 'private'].includes(layer.kind) && layer.at === at)) return {};
  if (!(await needsStore({ ...asked, platform: 'linux' }))) return {};
  return Object.fromEntries(storeVariables.map((name) => [name, store]));
}

/**
 * Returns whether pnpm must be led to a store. Without that it tries whether a file of the project can be linked into
 * HOME, which no sandbox allows. Up to release 10 it fails where that file cannot be written; later it begins an empty
 * store in the project. Not where settings name another store. Where no project of pnpm is found it is not led either,
 * because npm warns of the variable.
 */
export async function needsStore(asked: PnpmAsked): Promise<boolean> {
  const projects = await projectsOf(asked.workspace);
  return projects.length > 0 && !(await namesStore(settingsOf(projects, asked)));
}

/** Returns the store that pnpm takes where links into HOME are possible, as the person's variables lead it. */
function storeOf({ environment, home }: StoreAsked): string | null {
  const named = [
    environment['pnpm_config_store_dir'],
    environment['npm_config_store_dir'],
    below(environment['PNPM_HOME'], 'store'),
    below(environment['XDG_DATA_HOME'], 'pnpm/store'),
    below(home ?? undefined, '.local/share/pnpm/store'),
  ];
  return named.find((one) => one?.startsWith('/') === true) ?? null;
}

function below(folder: string | undefined, name: string): string | undefined {
  return folder === undefined ? undefined : path.posix.join(folder, name);
}

/** Returns the workspace, its folders and its root of pnpm, as far as pnpm installs for them. */
async function projectsOf(workspace: string): Promise<readonly string[]> {
  const entries = await readdir(workspace, { withFileTypes: true }).catch(() => []);
  const folders = entries.filter((entry) => entry.isDirectory() && !/^\.|^node_modules$/.test(entry.name));
  const candidates = [workspace, ...folders.slice(0, mostFolders).map(({ name }) => path.posix.join(workspace, name))];
  const found = await Promise.all(
    candidates.map(async (folder) => {
      const names = await readdir(folder).catch(() => []);
      return names.some((name) => name === 'pnpm-lock.yaml' || name === workspaceFile) ? [folder] : [];
    }),
  );
  const root = rootAbove(workspace);
  return [...found.flat(), ...(root === null ? [] : [root])];
}

/** Returns the folder above that pnpm takes for the root, because the workspace is one of its packages. */
function rootAbove(folder: string): string | null {
  if (statsOf(path.posix.join(folder, workspaceFile))?.isFile() === true) return folder;
  const above = path.posix.dirname(folder);
  return above === folder ? null : rootAbove(above);
}

function settingsOf(projects: readonly string[], { environment, home, platform }: PnpmAsked): readonly string[] {
  const usual = platform === 'darwin' ? 'Library/Preferences' : '.config';
  const configuration = environment['XDG_CONFIG_HOME'] ?? below(home ?? undefined, usual);
  return [
    ...projects.flatMap((folder) => ['.npmrc', workspaceFile].map((name) => path.posix.join(folder, name))),
    ...(home === null ? [] : [path.posix.join(home, '.npmrc')]),
    ...(configuration === undefined
      ? []
      : ['rc', 'config.yaml'].map((name) => path.posix.join(configuration, 'pnpm', name))),
  ];
}

async function namesStore(files: readonly string[]): Promise<boolean> {
  const read = await Promise.all(files.map((file) => readRegularFile(file, longestSettings)));
  const texts = read.map((one) => (one.ok ? Buffer.from(one.bytes).toString('utf8') : ''));
  return texts.some((text) => /^\s*["']?(?:store-dir|storeDir)["']?\s*[:=]/m.test(text));
}

const workspaceFile = 'pnpm-workspace.yaml';
const mostFolders = 200;
const longestSettings = 1024 * 1024;
