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
  if (!sandbox) return '';
  const said = `${end.stderr_tail}\n${tail}`;
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
