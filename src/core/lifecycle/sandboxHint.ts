import { firstRefusedWrite, ownRefusedPath, refusedWrite, type RefusedWrite } from '../../base/refusedWrite';
import { withoutColours } from '../../base/text/colours';
import type { SandboxFacts } from '../evidence/facts';
import { mendHardLinks } from '../../base/text/hardLinks';
import type { Attempt } from '../model/attempt';
import type { LaunchEnd } from '../model/facts';
import { printedBy, type Printed } from './printed';
import { isReadOnlyIn } from './sandboxMounts';

/**
 * Says why a command of the plan may have failed in its sandbox, as a sentence after a blank.
 * Empty: nothing points there, or `linkMet` says why. A hint for the person who decides: what a
 * program prints proves nothing.
 */
export function sandboxHint(
  { launches }: Pick<Attempt, 'launches'>,
  run_dir: string,
  end: Printed & Pick<LaunchEnd, 'unpassed'>,
  tail = '',
): string {
  const sandbox = launches.find((launch) => launch.run_dir === run_dir)?.prepared?.sandbox;
  const printed = printedBy(end, tail);
  if (!sandbox || linkMet({ launches }, run_dir, end, tail).length > 0) return '';
  const certain = certainIn(end, sandbox);
  const refused = certain ?? refusedIn(printed, sandbox);
  if (refused) return ` ${metEdge(certain)}: ${wayOut(refused.path, sandbox.argv, end.unpassed)}`;
  if (
    !sandbox.network &&
    /\bE(NETUNREACH|AI_AGAIN|NOTFOUND)\b|network is unreachable|could not resolve host|name resolution/i.test(
      printed.join('\n'),
    )
  )
    return ' It may have missed a network, which its sandbox has only with execution.network in the plan.';
  return '';
}

/**
 * The file that a command could not write by an error of its own, and that its sandbox keeps
 * read-only. Only standard error counts. Its path is relative to the workspace if it lies below it.
 * Null: no error of its own names such a file.
 */
export function heldBack(
  { launches }: Pick<Attempt, 'launches'>,
  run_dir: string,
  end: Pick<LaunchEnd, 'stderr_tail'>,
): string | null {
  const sandbox = launches.find((launch) => launch.run_dir === run_dir)?.prepared?.sandbox;
  return sandbox ? (certainIn(end, sandbox)?.shown ?? null) : null;
}

/**
 * The file that an agent was denied, as its own stream says, and that its sandbox keeps read-only. Relative to the
 * workspace if it lies below it. Null: its stream names no such file. Whether its work failed by that, it does not say.
 */
export function heldBackOf(
  { launches }: Pick<Attempt, 'launches'>,
  run_dir: string,
  { denials }: Pick<LaunchEnd, 'denials'>,
): string | null {
  const sandbox = launches.find((launch) => launch.run_dir === run_dir)?.prepared?.sandbox;
  if (sandbox?.means !== 'bubblewrap') return null;
  for (const { path, reason, source } of denials) {
    const refused = source === 'event' ? refusedWrite(reason, sandbox.means) : null;
    const place = refused && (path ?? refused.path);
    const shown = place ? heldIn(place, sandbox.argv) : null;
    if (shown !== null) return shown;
  }
  return null;
}

type Mounts = Pick<SandboxFacts, 'means' | 'argv'>;

function metEdge(certain: Certain | null): string {
  return `It ${certain === null ? 'may have met' : 'met'} the edge of its sandbox`;
}

interface Certain {
  /** The program's own words for it. */
  readonly path: string;
  readonly shown: string;
}

/**
 * Asks standard error alone, because a program prints to standard output what it has read, too. So
 * its own error counts only where it stands there as well.
 */
function certainIn({ stderr_tail }: Pick<LaunchEnd, 'stderr_tail'>, { means, argv }: Mounts): Certain | null {
  if (means !== 'bubblewrap') return null;
  const path = ownRefusedPath(withoutColours(stderr_tail));
  const shown = path === null ? null : heldIn(path, argv);
  return path !== null && shown !== null ? { path, shown } : null;
}

/** The first one whose file is named counts. */
function refusedIn(printed: readonly string[], sandbox: Mounts): RefusedWrite | null {
  const found = printed.flatMap((text) => firstRefusedWrite(text, sandbox.means) ?? []);
  return found.find(({ path }) => path !== null) ?? found[0] ?? unmadeFolder(printed.join('\n'), sandbox);
}

/**
 * The place of a path that the mounts keep read-only. A relative one counts where it lies in the
 * workspace, seen from its top: a program that changed its folder may mean another one there.
 */
function heldIn(path: string, argv: readonly string[]): string | null {
  const workspace = workspaceOf(argv);
  if (workspace === null) return null;
  const absolute = resolved(path.startsWith('/') ? path : `${workspace}/${path}`);
  const isInside = absolute.startsWith(`${workspace}/`);
  if (!(isInside || path.startsWith('/')) || !isReadOnlyIn(argv, absolute)) return null;
  return (isInside ? absolute.slice(workspace.length + 1) : absolute).slice(0, longestPath);
}

/** The same place without `.` and `..`. */
function resolved(absolute: string): string {
  const parts: string[] = [];
  for (const part of absolute.split('/')) {
    if (part === '..') parts.pop();
    else if (part !== '' && part !== '.') parts.push(part);
  }
  return `/${parts.join('/')}`;
}

/**
 * The first named folder in a read-only place that Node reports as not found, because Node may not
 * make it. It is not certain: Node says the same where the folder around it is missing.
 */
function unmadeFolder(said: string, { means, argv }: Mounts): RefusedWrite | null {
  if (means !== 'bubblewrap') return null;
  for (const [, path = ''] of said.matchAll(/\bENOENT: no such file or directory, mkdir '([^'\n]+)'/g))
    if (heldIn(path, argv) !== null) return { path };
  return null;
}

/** Says which step helps, by where the file lies, because no path of a plan leads out of the workspace. */
function wayOut(path: string | null, argv: readonly string[], unpassed: readonly string[] = []): string {
  const inPlan =
    'what it has to write in the workspace belongs into the approved paths, or, where git ignores it, into execution.scratch of the plan.';
  const elsewhere =
    'Let it write below $TMPDIR or ~/.cache instead, which are its own, for instance by `env NAME=/tmp/x COMMAND`.';
  if (path === null) return `${inPlan} ${elsewhere}`;
  const shown = path.slice(0, longestPath);
  const workspace = workspaceOf(argv);
  const isWhole = /^[/~]/.test(path);
  const outside = isWhole && (workspace === null || !`${resolved(path)}/`.startsWith(`${workspace}/`));
  const homes = unpassed.filter((name) => name.endsWith('_HOME'));
  // `variableHint` says how a person passes them.
  const missed = `It may look there because ${homes.join(' and ')} ${homes.length === 1 ? 'is' : 'are'} set here and not passed to it.`;
  if (!isWhole)
    return `it may not write ${shown}, named from the folder where it ran. Add its path from the top of the workspace to the approved ones, or, where git ignores it, to execution.scratch.`;
  return outside
    ? `it may not write ${shown}, which no path of a plan and no grant can open to a command. ${homes.length > 0 ? missed : elsewhere}`
    : `it may not write ${shown}. Add that path to the approved ones, or, where git ignores it, to execution.scratch of the plan.`;
}

const longestPath = 300;

/** Finds the workspace in a sandbox's command line: the run directory of the launch lies in it. */
export function workspaceOf(argv: readonly string[]): string | null {
  const run = argv.map((one) => /^(?:-DWORK=)?(\/.*)\/\.mission-control\/missions\/[^/]+\/runs\//.exec(one)?.[1]);
  return run.find((one) => one !== undefined) ?? null;
}

/**
 * The hard link that a command may have failed at, as a detail of its block; empty: nothing points there. Its sandbox
 * lets the command neither write the link nor replace it.
 */
export function linkMet(
  { launches }: Pick<Attempt, 'launches'>,
  run_dir: string,
  end: Printed,
  tail = '',
): readonly string[] {
  const said = printedBy(end, tail).join('\n');
  const heldLinks = launches.find((launch) => launch.run_dir === run_dir)?.prepared?.sandbox?.held ?? [];
  const refused = /\b(?:EBUSY|EROFS|EPERM)\b|resource busy|read-only file ?system|operation not permitted/i.test(said);
  const link = refused ? heldLinks.find((one) => said.includes(one)) : undefined;
  if (link === undefined) return [];
  return [
    `It may have met ${link}, which its sandbox keeps read-only, because it is a hard link to a file outside. ${mendHardLinks(link)}`,
  ];
}
