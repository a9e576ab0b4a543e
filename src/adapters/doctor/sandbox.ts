import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { errorMessage } from '../../base/outcome';
import { untried } from '../../base/text/words';
import type { DoctorCheck, SandboxedCli } from '../../engine/ports/doctor';
import type { SandboxStanding } from '../../engine/ports/sandbox';
import { holdsNetwork } from '../../contracts/vocabulary/confinement';
import { searchOutside } from '../files/outside';
import { makeLimitGroup } from '../processes/limitGroup';
import { createSandboxes, sandboxHere } from '../sandbox/sandboxes';
import { systemCallFilter } from '../sandbox/bubblewrap/systemCalls';

/**
 * Checks whether this machine can confine workers, and whether each CLI starts confined: with the boundary of a small
 * task, in folders of its own. Never throws.
 */
export async function sandboxChecks(
  workspaces: readonly string[],
  clis: readonly SandboxedCli[],
): Promise<readonly DoctorCheck[]> {
  const environment = searchOutside(process.env, workspaces);
  const standing = await sandboxHere(environment, workspaces[0] ?? null);
  if (standing.kind === 'unavailable') {
    const detail = `${standing.reason} Changes of workers are observed, and the network of agents is open; a mission that requires a sandbox does not start.`;
    return [{ id: 'sandbox', ok: false, required: false, detail, fix: standing.next }];
  }
  const detail = `${standing.means} ${standing.version} holds workers inside the approved paths of their task${holdsNetwork[standing.means] ? ', and agents to the hosts of their provider where that is asked for' : '; it cannot hold agents to the hosts of their provider'}.${untried(standing.means)}`;
  const held = (await areLimitsHeld())
    ? 'The kernel holds processes and memory of a launch.'
    : 'Processes and memory of a launch are only counted, about once a second.';
  const checks: DoctorCheck[] = [{ id: 'sandbox', ok: true, required: false, detail: `${detail} ${held}`, fix: '' }];
  checks.push({ id: 'sandbox-layers', ok: true, required: false, detail: layersHere(standing), fix: '' });
  // Without layers, because these are kept for workspaces.
  const sandboxes = createSandboxes({ environment });
  for (const cli of clis) checks.push(await checkOf(cli, environment, sandboxes));
  return checks;
}

/** The control group of this process is delegated as that of a supervisor is. */
async function areLimitsHeld(): Promise<boolean> {
  const few = { processes: 1, memory_mb: 1, file_mb: 1 };
  const group = await makeLimitGroup(`mission-control-doctor-${process.pid}`, few);
  if (typeof group === 'string') return false;
  await group.remove();
  return group.holds.length === 2;
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
  const failed = (detail: string, fix: string): DoctorCheck => ({ id, ok: false, required: false, detail, fix });
  let place: string | null = null;
  try {
    place = await mkdtemp(path.join(tmpdir(), 'mission-doctor-'));
    const [workspace_dir, run_dir] = [path.join(place, 'workspace'), path.join(place, 'run')];
    await mkdir(path.join(workspace_dir, 'out'), { recursive: true });
    await mkdir(run_dir);
    const boundary = {
      writable: ['out'],
      sealed: ['.git'],
      granted: [],
      home,
      network: true,
      namespaces,
      secrets: 'provider' as const,
    };
    const line = await sandboxes.line({ workspace_dir, run_dir, ...boundary, programWords: [executable] });
    if (!line.ok) return failed(line.refusal.reason, line.refusal.next[0] ?? '');
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
    if (run.exitCode === 0) {
      const detail = `${executable} starts in it; the hosts of its provider: ${hosts.join(', ')}`;
      return { id, ok: true, required: false, detail, fix: '' };
    }
    const said = (run.stderr === '' ? (run.originalMessage ?? '') : run.stderr).trim().split('\n')[0] ?? '';
    return failed(
      `${executable} does not start in the sandbox: ${said === '' ? `it ended with ${run.exitCode ?? 'a signal'}` : said}`,
      `Try it without: \`${executable} --version\`; where that works, run its tasks with \`--confinement off\`.`,
    );
  } catch (error) {
    return failed(`${executable} could not be tried in the sandbox: ${errorMessage(error)}.`, 'Mend what is named.');
  } finally {
    if (place !== null) await rm(place, { recursive: true, force: true }).catch(() => undefined); // a leftover is recognised by its name
  }
}
