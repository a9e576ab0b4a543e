import { execFile } from 'node:child_process';
import { access, constants } from 'node:fs/promises';
import type { DoctorCheck } from '../../engine/ports/doctor';
import { gitEnvironment } from '../git/command';
import { loadSqlite } from '../journal/sqlite';
import { mcpFileBeside } from '../user/missionTools';
import type { InstalledSupervisor } from '../user/supervisorCopy';

/** Checks Node, SQLite, git and this installation. */
export async function machineChecks(installed: InstalledSupervisor): Promise<readonly DoctorCheck[]> {
  return [node(), sqlite(), await git(), await installation(installed)];
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
    fix: 'Run with Node 24 or later, or `npm ci --ignore-scripts=false` where Mission Control lies: it brings one.',
  };
}

async function git(): Promise<DoctorCheck> {
  const version = await new Promise<string | null>((resolve) => {
    execFile('git', ['--version'], { timeout: 10_000, env: gitEnvironment([process.cwd()]) }, (error, stdout) =>
      resolve(error ? null : stdout.trim()),
    );
  });
  if (version !== null) return { id: 'git', ok: true, required: true, detail: version, fix: '' };
  return {
    id: 'git',
    ok: false,
    required: true,
    detail: 'git is not on PATH or does not answer.',
    fix: 'Install git, or put its folder on PATH.',
  };
}

async function installation({ supervisorFile, toolVersion }: InstalledSupervisor): Promise<DoctorCheck> {
  const programs = [supervisorFile, mcpFileBeside(supervisorFile)];
  const readable = await Promise.all(
    programs.map((file) =>
      access(file, constants.R_OK).then(
        () => true,
        () => false,
      ),
    ),
  );
  const missing = programs.find((_, at) => readable[at] === false);
  return {
    id: 'installation',
    ok: missing === undefined,
    required: true,
    detail: `mission ${toolVersion}${missing === undefined ? '' : `; ${missing} is missing`}`,
    fix: missing === undefined ? '' : 'Install Mission Control anew; in its own repository run `npm run build`.',
  };
}
