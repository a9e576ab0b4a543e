import { realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import { agentNames, type AgentName } from '../../contracts/vocabulary/workers';
import type { ProviderFacts, ResolvedWorker, WorkerCatalog } from '../../engine/ports/workers';
import { executableOption, hostsOption, type Surface } from '../../base/text/optionNames';
import type { AgentWorker } from '../../workers/worker';
import { passedValues, type PassedValue } from '../system/redact';
import { requestedIn, workerEnvironment } from './environment';
import { done, refused, type Outcome } from '../../base/outcome';
import { liesIn, searchOutside } from '../files/inside';
import { hostOfUrl, readHost } from './hosts';
import { readProvider } from './providers';
import { findExecutable, resolveCommandLine } from '../processes/commandLine';

export interface WorkerSettings {
  /** Absolute path of the executable; null: searched on PATH. */
  readonly path: string | null;
  readonly extraArgs: readonly string[];
  readonly envNames: readonly string[];
  readonly model: string | null;
  /** Further hosts that it may reach, in addition to its provider's, where its network is limited. */
  readonly hosts?: readonly string[];
}

export interface WorkerCatalogOptions {
  readonly workers: Readonly<
    Record<
      AgentName,
      Pick<AgentWorker, 'executable' | 'environmentNames' | 'sessionVariables' | 'startVariables' | 'provider'>
    >
  >;
  /** Default: the terminal. */
  readonly surface?: Surface;
  /** Called for each lookup, because settings may change. */
  readonly settings: (worker: AgentName) => WorkerSettings;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Folders that workers write. No program is started from there, because a worker could have put it there. */
  readonly workspaces?: () => readonly string[];
  /** `parseVersion` of workers/versions.ts. */
  readonly parseVersion: (output: string) => string | null;
  /** Answers that several catalogues of one process share; default: a map of its own. */
  readonly versions?: Map<string, AskedVersion>;
  /** Milliseconds that a CLI has to answer; set by tests. */
  readonly versionLimit?: number;
}

interface AskedVersion {
  readonly version: Promise<string | null>;
  /** The CLI was given up, because it did not answer in time. */
  isLate: boolean;
}

export function sessionVariablesOf(workers: WorkerCatalogOptions['workers']): readonly string[] {
  return agentNames.flatMap((name) => workers[name].sessionVariables);
}

/** The values that a person's settings pass to agents, and no variable that a CLI has of its own. */
export function passedBySettings({ workers, environment, settings }: WorkerCatalogOptions): readonly PassedValue[] {
  return agentNames.flatMap((kind) => {
    const request = { kind, names: settings(kind).envNames, sessionVariables: sessionVariablesOf(workers) };
    const { values } = workerEnvironment(request, environment);
    return passedValues(requestedIn(values, kind, workers[kind].environmentNames), 'in texts');
  });
}

/**
 * Milliseconds. One CLI takes 1 s, and 10 s were too short on a busy machine. A CLI that does not answer is used
 * with an unknown version, and no later launch waits for it.
 */
const defaultVersionLimit = 30_000;

/** Finds worker CLIs. Asks for the version once for each executable file (real path, time and size). */
export function createWorkerCatalog(options: WorkerCatalogOptions): WorkerCatalog {
  const { surface = 'terminal', versions = new Map<string, AskedVersion>() } = options;
  return {
    surface,
    isHere: async (name) => (await prepare(name, options)).ok,
    async resolve(worker, asked): Promise<Outcome<ResolvedWorker>> {
      if (worker === 'command')
        return done({ executable: '', version: null, extra_args: [], env_names: [], default_model: null });
      const name = agentNames.find((agent) => agent === worker);
      if (name === undefined) {
        const step = `Use one of: ${[...agentNames, 'command'].join(', ')}.`;
        return refused('WORKER_MISSING', `There is no worker ${worker}.`, step);
      }
      const prepared = await prepare(name, options);
      if (!prepared.ok) return prepared;
      const { settings, hosts, provider, file, key } = prepared.value;
      const known = versions.get(key);
      const answer = known && !(known.isLate && asked === 'again') ? known : ask(name, file, settings, options);
      versions.set(key, answer);
      return done({
        executable: file,
        version: await answer.version,
        extra_args: settings.extraArgs,
        env_names: [...new Set([...settings.envNames, ...provider.variables])],
        default_model: settings.model,
        hosts,
        provider,
      });
    },
  };
}

interface PreparedWorker {
  readonly settings: WorkerSettings;
  readonly hosts: readonly string[];
  readonly provider: ProviderFacts;
  /** The file that is started; a link keeps its name, because some CLIs read it. */
  readonly file: string;
  /** Identifies the state of the file that `file` leads to. */
  readonly key: string;
}

/** Finds everything but the version, and so starts no program. */
async function prepare(name: AgentName, options: WorkerCatalogOptions): Promise<Outcome<PreparedWorker>> {
  const settings = options.settings(name);
  const hosts = configuredHosts(name, settings, options);
  if (!hosts.ok) return hosts;
  const found = await locate(name, settings, options);
  if (!found.ok) return found;
  const provider = await providerOf(name, options);
  if (!provider.ok) return provider;
  return done({ settings, hosts: hosts.value, provider: provider.value, ...found.value });
}

/** The hosts of the settings, and of the base URLs that the CLI will get, in the compared form. */
function configuredHosts(
  name: AgentName,
  { hosts = [], envNames }: Pick<WorkerSettings, 'hosts' | 'envNames'>,
  { workers, environment, surface = 'terminal' }: Pick<WorkerCatalogOptions, 'workers' | 'environment' | 'surface'>,
): Outcome<readonly string[]> {
  const wrong = hosts.find((text) => readHost(text) === null);
  if (wrong !== undefined) {
    const step = `Write HOST or HOST:PORT into ${hostsOption(surface, name)}.`;
    return refused('NON_COMPLIANT', `A configured host of ${name} has the wrong form: ${wrong}.`, step);
  }
  const names = [...workers[name].environmentNames, ...envNames];
  const urls = workers[name].provider.baseUrls.flatMap((variable) =>
    names.includes(variable) ? (environment[variable] ?? []) : [],
  );
  const found = [...hosts.map((text) => readHost(text)), ...urls.map(hostOfUrl)];
  return done([...new Set(found.filter((host) => host !== null))]);
}

export function hostsOfAll(
  options: Pick<WorkerCatalogOptions, 'workers' | 'environment' | 'settings'>,
): Readonly<Partial<Record<AgentName, readonly string[]>>> {
  const found = agentNames.map((name) => [name, configuredHosts(name, options.settings(name), options)] as const);
  return Object.fromEntries(found.flatMap(([name, hosts]) => (hosts.ok ? [[name, hosts.value] as const] : [])));
}

export async function providersOfAll(
  options: Pick<WorkerCatalogOptions, 'workers' | 'environment' | 'settings'>,
): Promise<Readonly<Partial<Record<AgentName, Outcome<ProviderFacts>>>>> {
  const found = agentNames.map(async (name) => [name, await providerOf(name, options)] as const);
  return Object.fromEntries(await Promise.all(found));
}

function providerOf(
  name: AgentName,
  { workers, environment, settings }: Pick<WorkerCatalogOptions, 'workers' | 'environment' | 'settings'>,
): Promise<Outcome<ProviderFacts>> {
  const { envNames, extraArgs } = settings(name);
  const sessionVariables = sessionVariablesOf(workers);
  return readProvider(name, { worker: workers[name], sessionVariables, environment, envNames, extraArgs });
}

async function locate(
  name: AgentName,
  settings: WorkerSettings,
  options: WorkerCatalogOptions,
): Promise<Outcome<Pick<PreparedWorker, 'file' | 'key'>>> {
  const option = executableOption(options.surface ?? 'terminal', name);
  if (settings.path !== null && !path.isAbsolute(settings.path)) {
    const step = `Write an absolute path into ${option}, or leave it empty to use PATH.`;
    return refused('WORKER_MISSING', `The configured path of ${name} is not absolute: ${settings.path}.`, step);
  }
  const wanted = settings.path ?? options.workers[name].executable;
  const workspaces = options.workspaces?.() ?? [];
  const file = await findExecutable(wanted, searchOutside(options.environment, workspaces));
  const passedOver = file ?? (await findExecutable(wanted, options.environment));
  if (passedOver !== null && liesIn(passedOver, workspaces)) {
    return refused(
      'WORKER_MISSING',
      `${passedOver} lies in the workspace, where a worker could replace it: it is not started.`,
      `Install the ${name} CLI outside the workspace, or name one that is with ${option}.`,
    );
  }
  if (file === null) {
    return settings.path === null
      ? refused(
          'WORKER_MISSING',
          `${wanted} is not on PATH.`,
          `Install the ${name} CLI so that it is on PATH, or name its executable with ${option}.`,
        )
      : refused(
          'WORKER_MISSING',
          `${wanted} is not there or not executable.`,
          `Correct ${option}, or leave it out to use PATH.`,
        );
  }
  try {
    const real = await realpath(file);
    const { mtimeMs, size } = await stat(real);
    return done({ file, key: `${real}\0${mtimeMs}\0${size}` });
  } catch {
    return refused('WORKER_MISSING', `${file} cannot be looked at.`, `Correct ${option}.`);
  }
}

function ask(...about: Parameters<typeof askVersion>): AskedVersion {
  const asked: AskedVersion = {
    version: askVersion(...about).then(({ version, isLate }) => {
      asked.isLate = isLate;
      return version;
    }),
    isLate: false,
  };
  return asked;
}

async function askVersion(
  name: AgentName,
  file: string,
  settings: WorkerSettings,
  options: WorkerCatalogOptions,
): Promise<{ readonly version: string | null; readonly isLate: boolean }> {
  const { environmentNames, startVariables } = options.workers[name];
  const inherited = workerEnvironment(
    {
      kind: name,
      names: [...environmentNames, ...settings.envNames],
      sessionVariables: sessionVariablesOf(options.workers),
    },
    options.environment,
  );
  const values = { ...inherited.values, ...startVariables };
  const line = await resolveCommandLine([file, '--version'], values);
  // Loaded late: execa does not load on Node 20, where `mission check` has to run.
  const { execa } = await import('execa');
  const result = await execa(line.file, line.args, {
    env: values,
    extendEnv: false,
    stdin: 'ignore',
    reject: false,
    timeout: options.versionLimit ?? defaultVersionLimit,
    forceKillAfterDelay: 500,
    killDescendants: true,
    maxBuffer: 64 * 1024,
    windowsHide: true,
  });
  const version = options.parseVersion(typeof result.stdout === 'string' ? result.stdout : '');
  return { version, isLate: version === null && result.timedOut };
}
