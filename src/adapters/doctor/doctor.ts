import type { DoctorPorts, DoctorCheck, SandboxedCli } from '../../engine/ports/doctor';
import { workspaceChecks, asRefused, inDisorder, inOrder } from './workspace';
import type { JournalPlace } from '../nodeViewer';
import { type InstalledSupervisor, mcpFileBeside, openSupervisorCopy, nodeOutside } from '../user/programCopy';
import { startsHeld } from '../user/machineHold';
import { execFile } from 'node:child_process';
import { access, constants, mkdtemp, readFile, realpath, rm, mkdir } from 'node:fs/promises';
import { gitEnvironment } from '../git/command';
import { loadSqlite } from '../journal/sqlite';
import path from 'node:path';
import { runFiles, type LaunchTicket } from '../../contracts/launch';
import { systemIds } from '../system/clock';
import { createLaunches } from '../launches/launches';
import { errorWords, succeeds, type Refusal } from '../../base/outcome';
import { searchOutside } from '../files/inside';
import { findStateFolder, stateFolderName } from '../state/folder';
import { openUserStateFolder, userStateFolder } from '../user/folder';
import { openUserKey } from '../user/key';
import { tmpdir } from 'node:os';
import { bytesText, untried } from '../../base/text/words';
import type { SandboxStanding } from '../../engine/ports/sandbox';
import { holdsNetwork } from '../../contracts/vocabulary/confinement';
import { makeLimitGroup } from '../processes/limitGroup';
import { createSandboxes, sandboxHere } from '../sandbox/sandboxes';
import { bytesIn } from '../files/removeTree';
import { cachesOf } from '../workspace/manifest/place';
import { systemCallFilter } from '../sandbox/bubblewrap/systemCalls';

/** @param journal the process or thread that reads state stores */
export function createDoctorPorts(installation: InstalledSupervisor, journal: JournalPlace): DoctorPorts {
  return {
    machine: async () => [
      ...[node(), sqlite(), await git(), await installed(installation)],
      ...[await keyCheck(), await startsCheck()],
    ],
    sandbox: (workspaceDir, clis) => sandboxChecks(workspaceDir === null ? [] : [workspaceDir], clis),
    workspace: async (workspaceDir, missions, trusted) => [
      ...(await workspaceChecks(workspaceDir, journal, missions)),
      trusted ? await supervisorCheck(workspaceDir, installation) : supervisorNotTried(),
    ],
  };
}

/** Says whether a person stopped everything of this user on this machine, because every start is refused then. */
async function startsCheck(): Promise<DoctorCheck> {
  const hold = await startsHeld();
  return hold === null ? inOrder('starts', 'Missions may start.') : asRefused('starts', hold);
}

/** Opens the key as an owner does, because without it nothing starts. */
async function keyCheck(): Promise<DoctorCheck> {
  const key = await openUserKey();
  if (!key.ok) return asRefused('key', key.refusal);
  return inOrder('key', `the key that seals approvals and journals lies in ${key.value.folder}`);
}

function node(): DoctorCheck {
  const [major = 0] = process.versions.node.split('.').map(Number);
  const detail = `Node ${process.versions.node} at ${process.execPath}`;
  return major >= 20 ? inOrder('node', detail) : inDisorder('node', detail, 'Install Node 20 or later.');
}

function sqlite(): DoctorCheck {
  const found = loadSqlite();
  if (found.ok) return inOrder('sqlite', `node:sqlite, SQLite ${process.versions['sqlite'] ?? 'of unknown version'}`);
  return inDisorder(
    'sqlite',
    found.refusal.reason,
    'Run with Node 24 or later, or `npm ci --ignore-scripts=false` where Mission Control lies: it brings one.',
  );
}

async function git(): Promise<DoctorCheck> {
  const version = await new Promise<string | null>((resolve) => {
    execFile('git', ['--version'], { timeout: 10_000, env: gitEnvironment([process.cwd()]) }, (error, stdout) =>
      resolve(error ? null : stdout.trim()),
    );
  });
  if (version !== null) return inOrder('git', version);
  return inDisorder('git', 'git is not on PATH or does not answer.', 'Install git, or put its folder on PATH.');
}

async function installed({ supervisorFile, toolVersion }: InstalledSupervisor): Promise<DoctorCheck> {
  const programs = [supervisorFile, mcpFileBeside(supervisorFile)];
  const readable = await Promise.all(programs.map((file) => succeeds(access(file, constants.R_OK))));
  const missing = programs.find((_, at) => readable[at] === false);
  if (missing === undefined) return inOrder('installation', `mission ${toolVersion}`);
  const fix = 'Install Mission Control anew; in its own repository run `npm run build`.';
  return inDisorder('installation', `mission ${toolVersion}; ${missing} is missing`, fix);
}

/** Starts a real supervisor from the user's state folder, as for a task. It runs a program that prints one word. */
async function supervisorCheck(workspace: string, installed: InstalledSupervisor): Promise<DoctorCheck> {
  let runDir: string | null = null;
  try {
    const state = await openUserStateFolder();
    if (!state.ok) return failedBy(state.refusal);
    const supervisor = await openSupervisorCopy(installed, state.value);
    if (!supervisor.ok) return failedBy(supervisor.refusal);
    const node = await nodeOutside(process.execPath, workspace, state.value);
    if (!node.ok) return failedBy(node.refusal);
    const environment = searchOutside(process.env, [workspace]);
    const programs = { supervisor: supervisor.value, node: node.value };
    const launches = createLaunches({ ...programs, environment, sessionVariables: [] });

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
    return inOrder(id, `${await supervisor.value()} started, ran a program in ${workspace} and saw it end`);
  } catch (error) {
    return failed(`A supervisor could not be started: ${errorWords(error)}`);
  } finally {
    if (runDir !== null) await rm(runDir, { recursive: true, force: true }).catch(() => undefined); // a leftover is recognised by its name
  }
}

/** The check of a workspace in which Mission Control may start no program. */
function supervisorNotTried(): DoctorCheck {
  const detail = 'nothing is started in a workspace that is not trusted';
  return { ...inDisorder(id, detail, 'Use Workspaces: Manage Workspace Trust.'), required: false };
}

const id = 'supervisor';
const word = 'here';

function failed(detail: string, fix?: string): DoctorCheck {
  return inDisorder(id, detail, fix ?? 'Mend what the message names; a mission would fail in the same way.');
}

function failedBy({ code, reason, next }: Refusal): DoctorCheck {
  return failed(`${code}: ${reason}`, next[0]);
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

/** Checks whether this machine can confine workers, and whether each CLI starts confined, in folders of its own. */
async function sandboxChecks(
  workspaces: readonly string[],
  clis: readonly SandboxedCli[],
): Promise<readonly DoctorCheck[]> {
  const environment = searchOutside(process.env, workspaces);
  const standing = await sandboxHere(environment, workspaces[0] ?? null);
  if (standing.kind === 'unavailable') {
    const detail = `${standing.reason} Changes of workers are observed, and the network of agents is open; a mission that requires a sandbox does not start.`;
    return [{ ...inDisorder('sandbox', detail, standing.next), required: false }];
  }
  const detail = `${standing.means} ${standing.version} holds workers inside the approved paths of their task${holdsNetwork[standing.means] ? ', and agents to the hosts of their provider where that is asked for' : '; it cannot hold agents to the hosts of their provider'}.${untried(standing.means)}`;
  const held = (await areLimitsHeld())
    ? 'The kernel holds processes and memory of a launch.'
    : 'Processes and memory of a launch are only counted, about once a second.';
  const checks = [inOrder('sandbox', `${detail} ${held}`), inOrder('sandbox-layers', layersHere(standing))];
  const left = workspaces[0] === undefined ? 0 : await heldByLayers(workspaces[0]);
  if (left > 0)
    checks.push(inOrder('sandbox-kept', `Layers of this workspace hold ${bytesText(left)}; mission clean lists it.`));
  // Without layers, because these are kept for workspaces.
  const sandboxes = createSandboxes({ environment });
  for (const cli of clis) checks.push(await checkOf(cli, environment, sandboxes));
  return checks.map((check) => ({ ...check, required: false }));
}

/** The control group of this process is delegated as that of a supervisor is. */
async function areLimitsHeld(): Promise<boolean> {
  const few = { processes: 1, memory_mb: 1, file_mb: 1 };
  const group = await makeLimitGroup(`mission-control-doctor-${process.pid}`, few);
  if (typeof group === 'string') return false;
  await group.remove();
  return group.holds.length === 2;
}

async function heldByLayers(workspace: string): Promise<number> {
  const state = userStateFolder();
  if (!state.ok) return 0;
  try {
    return await bytesIn(cachesOf(state.value, await realpath(workspace)));
  } catch {
    return 0; // no workspace folder
  }
}

function layersHere({ no_layers, no_tree = null }: Extract<SandboxStanding, { kind: 'available' }>): string {
  if (no_layers !== null)
    return `No layer (overlayfs) can be mounted: ${no_layers}. So caches of tools begin empty, sockets in HOME are closed by their names, and writes outside the paths of a task are refused.`;
  const layered = 'Workers see HOME and the caches of tools through layers (overlayfs)';
  return no_tree === null
    ? `${layered}, and what they write outside their paths goes into one.`
    : `${layered}. No layer can lie over this workspace: ${no_tree}. So writes outside the paths of a task are refused.`;
}

async function checkOf(
  { name, executable, home, namespaces, hosts }: SandboxedCli,
  environment: Readonly<Record<string, string | undefined>>,
  sandboxes: ReturnType<typeof createSandboxes>,
): Promise<DoctorCheck> {
  const id = `sandbox-${name}`;
  let place: string | null = null;
  try {
    place = await mkdtemp(path.join(tmpdir(), 'mission-doctor-'));
    const [workspace_dir, run_dir] = [path.join(place, 'workspace'), path.join(place, 'run')];
    await mkdir(path.join(workspace_dir, 'out'), { recursive: true });
    await mkdir(run_dir);
    const line = await sandboxes.line({
      ...{ workspace_dir, run_dir, writable: ['out'], sealed: ['.git'], granted: [], home },
      ...{ network: true, namespaces, secrets: 'provider', programWords: [executable] },
    });
    if (!line.ok) return asRefused(id, line.refusal);
    // Loaded late: execa does not load on Node 20, where `mission check` has to run.
    const { execa } = await import('execa');
    const [program, ...args] = [...line.value.argv, executable, '--version'];
    const run = await execa(program, args, {
      reject: false,
      timeout: 60_000,
      stdio: ['ignore', 'pipe', 'pipe', 'ignore', 'ignore', 'ignore', systemCallFilter()],
      cwd: workspace_dir,
      env: environment,
      extendEnv: false,
    });
    if (run.exitCode === 0)
      return inOrder(id, `${executable} starts in it; the hosts of its provider: ${hosts.join(', ')}`);
    const said = (run.stderr === '' ? (run.originalMessage ?? '') : run.stderr).trim().split('\n')[0] ?? '';
    return inDisorder(
      id,
      `${executable} does not start in the sandbox: ${said === '' ? `it ended with ${run.exitCode ?? 'a signal'}` : said}`,
      `Try it without: \`${executable} --version\`; where that works, run its tasks with \`--confinement off\`.`,
    );
  } catch (error) {
    const detail = `${executable} could not be tried in the sandbox: ${errorWords(error)}.`;
    return inDisorder(id, detail, 'Mend what is named.');
  } finally {
    if (place !== null) await rm(place, { recursive: true, force: true }).catch(() => undefined); // a leftover is recognised by its name
  }
}
