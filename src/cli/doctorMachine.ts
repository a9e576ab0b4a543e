import { execFile } from 'node:child_process';
import { access, constants } from 'node:fs/promises';
import { createWorkerCatalog } from '../adapters/workerCatalog';
import { loadSqlite } from '../adapters/sqlite';
import { agentNames, type AgentName } from '../contracts/vocabulary/workers';
import { refusalOfExtraArguments } from '../engine/extraArguments';
import { agentCatalog, agentWorkers } from '../workers/registry';
import { versionStanding } from '../workers/versions';
import type { Invocation } from './command';
import type { DoctorCheck } from './doctorCheck';
import { supervisorFile, toolVersion } from './program';
import { workerSettings } from './session';

/** What the machine brings: Node, SQLite, git, this installation, and the worker CLIs. */
export async function machineChecks(call: Invocation): Promise<readonly DoctorCheck[]> {
  const settings = workerSettings(call);
  const catalog = createWorkerCatalog({
    ...agentCatalog,
    settings: (worker) => settings[worker],
    environment: process.env,
  });
  return [
    node(),
    sqlite(),
    await git(),
    await installation(),
    ...(await Promise.all(
      agentNames.map(async (name): Promise<DoctorCheck> => {
        const id = name;
        const unsafe = refusalOfExtraArguments(name, settings[name].extraArgs);
        if (unsafe)
          return {
            id,
            ok: false,
            required: false,
            detail: `${unsafe.code}: ${unsafe.reason} Plans that name ${name} are refused.`,
            fix: unsafe.next[0] ?? '',
          };
        const found = await catalog.resolve(name);
        if (!found.ok)
          return {
            id,
            ok: false,
            required: false,
            detail: `${found.refusal.reason} Plans that name ${name} are refused.`,
            fix: found.refusal.next[0] ?? '',
          };
        return worker(name, found.value);
      }),
    )),
  ];
}

function node(): DoctorCheck {
  const [major = 0] = process.versions.node.split('.').map(Number);
  return {
    id: 'node',
    ok: major >= 20,
    required: true,
    detail: `Node ${process.versions.node} at ${process.execPath}`,
    fix: major >= 20 ? '' : 'Install Node 20 or later.',
  };
}

function sqlite(): DoctorCheck {
  const found = loadSqlite();
  if (found.ok)
    return {
      id: 'sqlite',
      ok: true,
      required: true,
      detail: `node:sqlite, SQLite ${process.versions['sqlite'] ?? 'of unknown version'}`,
      fix: '',
    };
  return {
    id: 'sqlite',
    ok: false,
    required: true,
    detail: found.refusal.reason,
    fix: 'Run with Node 24 or later, or `npm ci` where Mission Control lies: it brings one.',
  };
}

async function git(): Promise<DoctorCheck> {
  const version = await new Promise<string | null>((resolve) => {
    execFile('git', ['--version'], { timeout: 10_000 }, (error, stdout) => resolve(error ? null : stdout.trim()));
  });
  if (version !== null) return { id: 'git', ok: true, required: true, detail: version, fix: '' };
  return {
    id: 'git',
    ok: false,
    required: true,
    detail: 'git is not on PATH or does not answer.',
    fix: 'Install git.',
  };
}

async function installation(): Promise<DoctorCheck> {
  const present = await access(supervisorFile, constants.R_OK).then(
    () => true,
    () => false,
  );
  const detail = `mission ${toolVersion()}${present ? '' : `; ${supervisorFile} is missing`}`;
  return { id: 'installation', ok: present, required: true, detail, fix: present ? '' : 'Run `npm run build`.' };
}

function worker(name: AgentName, found: { readonly executable: string; readonly version: string | null }): DoctorCheck {
  const { testedVersions } = agentWorkers[name];
  const range = `tested with ${testedVersions.from} to ${testedVersions.to}`;
  const login = 'login cannot be told without a call';
  if (found.version === null)
    return {
      id: name,
      ok: false,
      required: false,
      detail: `${found.executable} does not tell its version; ${range}; ${login}`,
      fix: `Run ${found.executable} --version and look at what it says.`,
    };
  const standing = versionStanding(found.version, testedVersions);
  return {
    id: name,
    ok: true,
    required: false,
    detail: `${found.executable}, version ${found.version} (${standing === 'tested' ? 'tested' : `${standing} than tested`}; ${range}); ${login}`,
    fix: '',
  };
}
