import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, utimesSync, writeFileSync } from 'node:fs';
import { mkdir, mkdtemp, writeFile } from 'node:fs/promises';
import path from 'node:path';
import process from 'node:process';
import { promisify } from 'node:util';
import type { AgentName } from '../../src/contracts/vocabulary/workers';
import { agentWorkers } from '../../src/workers/registry';
import { compileCache } from '../support/compileCache';
import { machinePath } from '../support/machine';

/**
 * A place for one test: workspace (a git repository), a folder outside it, a run directory, and a home that no
 * CLI has seen before. Below `.artifacts/agents`, not the system's temporary folder, which Codex's sandbox treats
 * specially.
 */
export interface AgentPlace {
  readonly root: string;
  readonly workspace: string;
  readonly outside: string;
  readonly runDir: string;
  readonly home: string;
}

const toolsDir = path.resolve(process.cwd(), 'test/tools/agents');
const run = promisify(execFile);

/** @param base another folder to make it in, for what must not happen inside this checkout */
export async function makePlace(
  name: string,
  base = path.resolve(process.cwd(), '.artifacts/agents'),
): Promise<AgentPlace> {
  await mkdir(base, { recursive: true });
  const root = await mkdtemp(path.join(base, `${name}-`));
  const place = {
    root,
    workspace: path.join(root, 'workspace'),
    outside: path.join(root, 'outside'),
    runDir: path.join(root, 'run'),
    home: path.join(root, 'home'),
  };
  for (const directory of [
    place.workspace,
    place.outside,
    place.runDir,
    path.join(place.home, '.gemini'),
    path.join(place.home, '.codex'),
  ]) {
    await mkdir(directory, { recursive: true });
  }
  await writeFile(path.join(place.home, '.gemini', 'settings.json'), JSON.stringify(geminiSettings));
  await run('git', ['init', '--quiet', '--initial-branch=main', place.workspace], {
    env: { PATH: searchPath(), HOME: place.home },
  });
  return place;
}

/** With a base URL and no chosen way to sign in, Gemini CLI ends with code 41; the rest keeps it off the network. */
const geminiSettings = {
  security: { auth: { selectedType: 'gemini-api-key' } },
  privacy: { usageStatisticsEnabled: false },
  general: { enableAutoUpdate: false, enableAutoUpdateNotification: false, maxAttempts: 2 },
  telemetry: { enabled: false },
};

/** OpenCode has no variable for the place of a model: a person writes it into the settings in the home. */
const opencodeSettings = (modelUrl: string): object => ({
  provider: {
    mock: {
      npm: '@ai-sdk/openai-compatible',
      options: { baseURL: `${modelUrl}/v1`, apiKey: 'test-key' },
      models: { m: { name: 'm' }, 'gpt-5': { name: 'gpt-5' } },
    },
  },
});

/** OpenCode asks the npm registry for this package in each folder of configuration, unless it seems to be there. */
export const opencodePackage: Readonly<Record<string, string>> = ((dependencies) => ({
  'package.json': JSON.stringify({ dependencies }),
  'package-lock.json': JSON.stringify({ lockfileVersion: 3, packages: { '': { dependencies } } }),
  'node_modules/.keep': '',
}))({ '@opencode-ai/plugin': agentWorkers.opencode.testedVersions.to });

/**
 * The whole environment of a CLI: nothing of the machine's own but the search path. Keys are dummies. `mission` gets
 * the same, and passes the compile cache on only where a launch asks for it.
 */
export function agentEnvironment(agent: AgentName, home: string, modelUrl: string): Record<string, string> {
  const base = { PATH: searchPath(), HOME: home, LANG: 'C.UTF-8', ...compileCache };
  switch (agent) {
    case 'claude':
      return { ...base, ANTHROPIC_API_KEY: 'test-key', ANTHROPIC_BASE_URL: modelUrl, CLAUDE_CODE_MAX_RETRIES: '1' };
    case 'codex':
      return { ...base, CODEX_HOME: path.join(home, '.codex'), CODEX_API_KEY: 'test-key' };
    case 'gemini':
      return { ...base, GEMINI_CLI_HOME: home, GEMINI_API_KEY: 'test-key', GOOGLE_GEMINI_BASE_URL: modelUrl };
    case 'opencode': {
      const folder = path.join(home, '.config', 'opencode');
      mkdirSync(path.join(folder, 'node_modules'), { recursive: true });
      const files = { ...opencodePackage, 'opencode.json': JSON.stringify(opencodeSettings(modelUrl)) };
      for (const [name, content] of Object.entries(files)) writeFileSync(path.join(folder, name), content);
      leaveModelList(path.join(home, '.cache', 'opencode'));
      return base;
    }
  }
}

/**
 * The list of models that an earlier run of OpenCode keeps. Without one each launch spends a third of its time on the
 * thousands of models inside the program; these tests name their own. It is old, so that OpenCode asks for a new one
 * wherever it may.
 */
function leaveModelList(folder: string): void {
  mkdirSync(folder, { recursive: true });
  const file = path.join(folder, 'models.json');
  writeFileSync(file, '{}');
  utimesSync(file, 0, 0);
}

/** Extra arguments a user would set to reach another model service; only Codex has no variable for it. */
export function agentExtraArgs(agent: AgentName, modelUrl: string): readonly string[] {
  if (agent !== 'codex') return [];
  const provider = { name: 'mock', base_url: `${modelUrl}/v1`, env_key: 'CODEX_API_KEY', wire_api: 'responses' };
  return [
    ...['-c', 'model_provider=mock'],
    ...Object.entries(provider).flatMap(([key, value]) => ['-c', `model_providers.mock.${key}=${value}`]),
  ];
}

const uuid = /^[0-9a-f-]{36}$/;
/** What each CLI calls a session. */
export const sessionIds: Readonly<Record<AgentName, RegExp>> = {
  claude: uuid,
  codex: uuid,
  gemini: uuid,
  opencode: /^ses_[0-9A-Za-z]{26}$/,
};

/** A model each CLI accepts offline; without one Gemini CLI asks a classifier first. */
export const agentModels: Readonly<Record<AgentName, string | null>> = {
  claude: null,
  codex: 'gpt-6.1-sol',
  // Of a tier that may write code.
  gemini: 'gemini-2.5-pro',
  opencode: 'mock/m',
};

export function agentExecutable(agent: AgentName): string {
  const found = path.join(toolsDir, 'node_modules', '.bin', agent);
  if (!existsSync(found))
    throw new Error(`${agent} is not installed: run \`npm run test:agents\`, which installs test/tools/agents first`);
  return found;
}

/** The CLIs that are scripts run on this Node; what else the machine has installed is not found. */
export function searchPath(): string {
  return [path.join(toolsDir, 'node_modules', '.bin'), machinePath()].join(path.delimiter);
}
