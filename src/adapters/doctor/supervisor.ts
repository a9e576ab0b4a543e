import { mkdtemp, readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { runFiles, type LaunchTicket } from '../../contracts/launch';
import type { DoctorCheck } from '../../engine/ports/doctor';
import { systemIds } from '../system/ids';
import { createLaunches } from '../launches/launches';
import { nodeOutside } from '../user/node';
import { errorMessage } from '../../base/outcome';
import { searchOutside } from '../files/outside';
import { findStateFolder, stateFolderName } from '../state/folder';
import { openSupervisorCopy, type InstalledSupervisor } from '../user/supervisorCopy';
import { openUserStateFolder } from '../user/folder';

/**
 * Does what a mission does for each task: starts a real supervisor from the user's state folder.
 * The supervisor takes a ticket in this workspace and runs a program that prints one word. Removes
 * the run directory afterwards.
 */
export async function supervisorCheck(workspace: string, installed: InstalledSupervisor): Promise<DoctorCheck> {
  let runDir: string | null = null;
  try {
    const state = await openUserStateFolder();
    if (!state.ok) return failed(`${state.refusal.code}: ${state.refusal.reason}`, state.refusal.next[0]);
    const supervisor = await openSupervisorCopy(installed, state.value);
    if (!supervisor.ok)
      return failed(`${supervisor.refusal.code}: ${supervisor.refusal.reason}`, supervisor.refusal.next[0]);
    const node = await nodeOutside(process.execPath, workspace, state.value);
    if (!node.ok) return failed(`${node.refusal.code}: ${node.refusal.reason}`, node.refusal.next[0]);
    const environment = searchOutside(process.env, [workspace]);
    const launches = createLaunches({
      supervisor: supervisor.value,
      node: node.value,
      environment,
      sessionVariables: [],
    });

    runDir = await mkdtemp(await beginningIn(workspace));
    const ticket = ticketIn(workspace);
    const prepared = await launches.prepare(runDir, '', [], ticket);
    if (!prepared.ok) return failed(prepared.refusal.reason, prepared.refusal.next[0]);
    const known = { ...ticket, process: null };
    const started = await launches.start(runDir, known);
    if (started.kind === 'refused') return failed(started.reason);
    const exit = started.kind === 'ended' ? started.exit : await launches.awaitExit(runDir, known, () => undefined);
    const output = await readFile(path.join(runDir, runFiles.stdout), 'utf8').catch(() => '');
    const seen = `${exit.reason}, exit code ${exit.exit_code ?? 'none'}, output ${JSON.stringify(output.trim())}`;
    if (exit.reason !== 'exited' || exit.exit_code !== 0 || output.trim() !== word || !exit.tree_gone)
      return failed(`A supervisor was started and did not do its work here: ${exit.error ?? seen}`);
    const detail = `${await supervisor.value()} started, ran a program in ${workspace} and saw it end`;
    return { id, ok: true, required: true, detail, fix: '' };
  } catch (error) {
    return failed(`A supervisor could not be started: ${errorMessage(error)}`);
  } finally {
    if (runDir !== null) await rm(runDir, { recursive: true, force: true }).catch(() => undefined); // a leftover is recognised by its name
  }
}

/** The check of a workspace in which Mission Control may start no program. */
export function supervisorNotTried(): DoctorCheck {
  const detail = 'nothing is started in a workspace that is not trusted';
  return { id, ok: false, required: false, detail, fix: 'Use Workspaces: Manage Workspace Trust.' };
}

const id = 'supervisor';
const word = 'here';

function failed(
  detail: string,
  fix = 'Mend what the message names; a mission would fail in the same way.',
): DoctorCheck {
  return { id, ok: false, required: true, detail, fix };
}

/** The prefix of the run directory: in the state folder, or beside its future place. */
async function beginningIn(workspace: string): Promise<string> {
  const found = await findStateFolder(workspace);
  return found.ok && found.value !== null
    ? path.join(found.value.root, 'doctor-')
    : path.join(workspace, `${stateFolderName}-doctor-`);
}

function ticketIn(workspace: string): LaunchTicket {
  const now = Date.now();
  return {
    schema_version: '1.0.0',
    mission_id: 'doctor',
    run_id: systemIds.uuid(),
    task_id: 'doctor',
    launch_id: systemIds.uuid(),
    fence: 1,
    nonce: systemIds.hex(32),
    issued_at: new Date(now).toISOString(),
    expires_at: new Date(now + 30_000).toISOString(),
    worker: 'command',
    argv: process.platform === 'win32' ? ['cmd.exe', '/d', '/c', `echo ${word}`] : ['/bin/sh', '-c', `echo ${word}`],
    cwd: workspace,
    env: {},
    env_names: [],
    heartbeat_interval_seconds: 5,
    max_runtime_seconds: 30,
    grace_seconds: 1,
  };
}
