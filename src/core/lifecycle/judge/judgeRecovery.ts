import { afterLimit } from '../../../contracts/vocabulary/plan';
import { denialsOf } from '../parts/recover';
import type { Recovery } from '../../recovery/permission/record';
import { agentWorkers } from '../../../workers/registry';
import { contractName } from '../../recovery/permission/words';
import type { AttemptFailure } from '../../model/facts';
import type { Attempt, Launch } from '../../model/attempt';
import { denialLines, firstLine, recoverable } from '../parts/recoverable';
import { workerLaunch } from '../parts/workerLaunch';
import type { Judged } from './rules';
import { utcText } from '../../../base/text/amounts';

/** A denial that only a person can mend, or a further launch that could not be made. The wording is that of seed 002. */
export function judgeRecovery({ attempt }: Judged): AttemptFailure | null {
  if (attempt.unlaunched) return attempt.unlaunched;
  const last = attempt.recoveries.at(-1);
  if (last?.status !== 'escalated') return null;
  const worker = workerLaunch(attempt)?.prepared?.worker ?? 'command';
  const where = last.path ?? 'the workspace';
  if (last.issue === 'LOGIN_REQUIRED') return notSignedIn(attempt, last);
  return recoverable(
    'permission_recovery_exhausted',
    `Persistent permission error for ${contractName(worker)} on ${where}. Manual intervention required.`,
    [last.why ?? '', `${last.issue}: ${last.issue_detected}`],
    { human_only: 'permission_recovery' },
  );
}

/** The wording of seed 002 would send a person to look for a folder. */
function notSignedIn(attempt: Attempt, { denied_launch_id, why, issue_detected }: Recovery): AttemptFailure {
  const launch = attempt.launches.find(({ launch_id }) => launch_id === denied_launch_id);
  const who = contractName(launch?.prepared?.worker ?? 'command');
  const where = launch?.prepared?.sandbox ? `Inside its sandbox ${who}` : who;
  // A stream may put the name of an error before its words.
  const cause = (launch?.end?.final_reason ?? issue_detected).replace(/^[a-z_]{1,40}: /, '');
  return recoverable(
    'permission_recovery_exhausted',
    `${where} is not signed in: ${firstLine(cause.slice(0, longestWords))}.`,
    [why ?? '', ...(launch ? signInHint(launch) : [])],
    { human_only: 'permission_recovery' },
  );
}

const longestWords = 300;

/** The provider of the agent refused more requests until its CLI gave up: that passes by itself. */
export function judgeRateLimit({ mission: { plan }, attempt }: Judged): AttemptFailure | null {
  const launch = workerLaunch(attempt);
  const { claim } = attempt;
  if (!launch?.end || claim.kind === 'report' || (claim.kind === 'valid' && claim.result.status === 'done'))
    return null;
  const limited = denialsOf(launch, launch.end).find(({ issue }) => issue === 'RATE_LIMITED');
  if (!limited) return null;
  const who = contractName(launch.prepared?.worker ?? 'command');
  const { at = null, said = null } = limited.ends ?? {};
  return recoverable(
    'rate_limited',
    `The provider of ${who} accepts no more requests ${at === null ? 'now' : `until ${utcText(at)}`}: ${firstLine(limited.detected)}.`,
    [
      ...(said === null ? [] : [`When that ends, in its own words: ${said}.`]),
      ...(plan.after_limit === 'resume' ? [goesOnWords(at)] : []),
      'Wait until it ends, then retry the task.',
    ],
    { limit_ends: { at, said } },
  );
}

/** Says what the plan allows. The packet knows how often the task went on by itself, and the attempt does not. */
function goesOnWords(at: string | null): string {
  const { times, longest_hours } = afterLimit;
  return at === null
    ? 'It does not go on by itself, because its CLI tells no time for that.'
    : `The approved plan lets it go on by itself then, at most ${times} times, and where that is within ${longest_hours} hours.`;
}

/** The CLI ended because its provider did not answer, or failed by itself: nothing of the task is to be mended. */
export function judgeNoAnswer({ attempt }: Judged): AttemptFailure | null {
  const launch = workerLaunch(attempt);
  const worker = launch?.prepared?.worker ?? 'command';
  const { final_ok = true, final_reason = null, denials = [] } = launch?.end ?? {};
  if (worker === 'command' || final_ok || final_reason === null) return null;
  if (!agentWorkers[worker].words.noAnswer.test(final_reason)) return null;
  const heldBack = denials.filter(({ source }) => source === 'network');
  return recoverable(
    'worker_reported_blocked',
    `The provider of ${contractName(worker)} did not answer: ${firstLine(final_reason)}.`,
    heldBack.length > 0
      ? [
          ...denialLines({ denials: heldBack }),
          'If that is a host of its provider, name it on this machine (--cli-host, or the hosts in the settings of the CLI), then retry the task.',
        ]
      : ['Look whether this machine reaches it (network, proxy, its status page), then retry the task.'],
  );
}

/** Says why an agent may not find a sign-in that is there outside. Empty: no sandbox of ours held it. */
export function signInHint({ prepared, end }: Pick<Launch, 'prepared' | 'end'>): readonly string[] {
  const sandbox = prepared?.sandbox;
  if (!sandbox) return [];
  const { hidden = [] } = sandbox;
  const named = hidden.slice(0, mostNamed).join(', ');
  const more = hidden.length > mostNamed ? ` and ${hidden.length - mostNamed} more places` : '';
  const kept = (end?.denials ?? []).filter(({ source }) => source === 'network');
  return [
    `Its sandbox hides sockets and keyrings of this machine${named === '' ? '' : `, and what lies in ${named}${more}`}.`,
    'A sign-in that is kept there is not found inside. Its own file in the folder of the CLI, or a key that is passed, is.',
    `Try the CLI outside: if it is signed in there, keep the sign-in in that file, or give it a key with --cli-env ${prepared.worker}=VARIABLE.`,
    ...(kept.length === 0
      ? []
      : [
          ...denialLines({ denials: kept }),
          'If it signs in there, name the host on this machine (--cli-host, or the hosts in the settings of the CLI).',
        ]),
  ];
}

/** The launch line in the evidence has all of them. */
const mostNamed = 6;
