import { mendHardLinks } from '../../base/text/hardLinks';
import type { Attempt } from '../model/attempt';
import type { LaunchEnd } from '../model/facts';

/**
 * Why a command of the plan may have failed in its sandbox, as a sentence with a blank in front; empty: nothing points
 * there. A hint for the person who decides: what a program prints proves nothing.
 */
export function sandboxHint(
  { launches }: Pick<Attempt, 'launches'>,
  run_dir: string,
  end: LaunchEnd,
  tail = '',
): string {
  const sandbox = launches.find((launch) => launch.run_dir === run_dir)?.prepared?.sandbox;
  const said = `${end.stderr_tail}\n${tail}`;
  if (!sandbox || linkMet({ launches }, run_dir, end, tail).length > 0) return '';
  // Seatbelt's word for it is that of a wrong owner as well.
  const edge =
    sandbox.means === 'seatbelt' ? /\bEPERM\b|operation not permitted/i : /\bEROFS\b|read-only file ?system/i;
  if (edge.test(said))
    return ' It may have met the edge of its sandbox: what it has to write belongs into the approved paths, or, where git ignores it, into execution.scratch of the plan.';
  if (
    !sandbox.network &&
    /\bE(NETUNREACH|AI_AGAIN|NOTFOUND)\b|network is unreachable|could not resolve host|name resolution/i.test(said)
  )
    return ' It may have missed a network, which its sandbox has only with execution.network in the plan.';
  return '';
}

/**
 * The hard link that a command may have failed at, as a detail of its block; empty: nothing points there. Its sandbox
 * lets it be written as little as be replaced.
 */
export function linkMet(
  { launches }: Pick<Attempt, 'launches'>,
  run_dir: string,
  end: LaunchEnd,
  tail = '',
): readonly string[] {
  const said = `${end.stderr_tail}\n${tail}`;
  const held = launches.find((launch) => launch.run_dir === run_dir)?.prepared?.sandbox?.held ?? [];
  const refused = /\b(?:EBUSY|EROFS|EPERM)\b|resource busy|read-only file ?system|operation not permitted/i.test(said);
  const link = refused ? held.find((one) => said.includes(one)) : undefined;
  if (link === undefined) return [];
  return [
    `It may have met ${link}, which its sandbox keeps read-only, because it is a hard link to a file outside. ${mendHardLinks(link)}`,
  ];
}
