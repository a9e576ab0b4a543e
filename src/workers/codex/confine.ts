import { workPlaces } from '../../contracts/vocabulary/confinement';
import { inRunDir } from '../shared/launchLine';
import type { LaunchRequest, OrchestratorRequest } from '../worker';

/**
 * Says which of its sandboxes Codex runs in. Held by more than itself it gets a permission profile: `-s
 * workspace-write` makes folders in the workspace, which fails in our sandbox. A profile knows folders alone: one entry
 * that is a file makes every command fail.
 */
export function confining(request: LaunchRequest): readonly string[] {
  const { heldBy } = request;
  if (heldBy === undefined) {
    return [
      '-s',
      request.writes ? 'workspace-write' : 'read-only',
      // Without this /tmp is writable. TMPDIR in the run directory stays writable for tools that need it.
      '-c',
      'sandbox_workspace_write.exclude_slash_tmp=true',
      ...request.addDirectories.flatMap((directory) => ['--add-dir', directory]),
    ];
  }
  const approved = request.writes ? [...heldBy.writable, ...request.addDirectories] : [];
  // In our sandbox /tmp is the launch's own.
  const own = [inRunDir(request, workPlaces.folder), ...(heldBy.by === 'sandbox' ? ['/tmp'] : [])];
  const sealed = heldBy.by === 'own' ? heldBy.sealed : [];
  return profile([...approved, ...own], sealed);
}

/** The same for a session that writes nothing but temporary files, and without our sandbox not even these. */
export function readingOnly(request: OrchestratorRequest): readonly string[] {
  if (request.heldBy?.by !== 'sandbox') return ['-s', 'read-only'];
  return profile([inRunDir(request, workPlaces.tmp), '/tmp'], []);
}

function profile(writable: readonly string[], sealed: readonly string[]): readonly string[] {
  const entries = [
    [':root', 'read'],
    ...[...new Set(writable)].map((folder) => [folder, 'write']),
    ...sealed.map((folder) => [folder, 'read']),
  ];
  const table = entries.map(([name, access]) => `${JSON.stringify(name)}=${JSON.stringify(access)}`).join(',');
  return ['-c', 'default_permissions="mission-control"', '-c', `permissions.mission-control.filesystem={${table}}`];
}

/** One sentence for the approval dialog and the evidence. It leaves out what our sandbox does. */
export function confiningDetail(request: LaunchRequest): string {
  const where =
    request.heldBy === undefined ? 'below the workspace, without .git,' : 'the approved folders of its task';
  const scope = request.writes ? `writes only ${where}` : 'writes nothing';
  const shell = request.fileLevelOnly
    ? ' It edits through its shell, which cannot be withheld: the sandbox is what limits it.'
    : '';
  return `Codex runs in its operating system sandbox: it ${scope} and has no network; it may read the whole disk.${shell}`;
}
