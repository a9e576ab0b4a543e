import type { ModeChange } from '../../../contracts/launchEvidence';
import { quotedArguments } from '../../../base/text/marked/visible';
import { grantWords } from '../../../base/text/words';
import type { LaunchChange } from '../../../contracts/record/recoveryEvent';
import type { AttemptRecord, Launch } from '../../model/attempt';
import { launchNamed } from '../../model/lanes';
import type { Tasks } from '../../model/state';
import type { AllowedBy, LaunchAdjustment } from '../../recovery/permission/record';

type ChangedAttempt = Pick<AttemptRecord, 'launches' | 'recoveries'>;

/** Returns what is shown of a changed launch line; null: the least-privileged one. Redacted, because the journal is. */
export function launchChange(attempt: ChangedAttempt, launch: Launch): LaunchChange | null {
  const { adjustment, prepared, modes = [] } = launch;
  if (!adjustment) return null;
  const recovery = attempt.recoveries.find(({ recovery_id }) => recovery_id === adjustment.recovery_id);
  const denied = attempt.launches.find(({ launch_id }) => launch_id === recovery?.denied_launch_id);
  const before = recovery ? denied?.prepared?.argv : prepared?.least_argv;
  const after = prepared?.argv;
  const { resume_session_id: session } = adjustment;
  return {
    reasons: [
      // A relaunch keeps what the attempt was given, so that is no change of it.
      ...(recovery ? [] : given(adjustment)),
      ...(recovery?.relaunch
        ? [
            `${recovery.action ?? 'relaunch'} after ${recovery.issue}${recovery.path === null ? '' : ` on ${recovery.path}`}${recovery.reads ? ', to read' : ''}, allowed by ${allowedWords(recovery.relaunch.allowed_by)}`,
          ]
        : []),
      ...modes.map(modeLine),
      ...(session === null ? [] : [`session ${session} goes on`]),
    ],
    arguments:
      before && after
        ? { before: [...before], after: [...after], removed: without(before, after), added: without(after, before) }
        : null,
  };
}

/** The same by the name of the launch; null also where there is no such launch. */
export function launchChangeById(mission: Tasks, launchId: string): LaunchChange | null {
  const found = launchNamed(mission, launchId);
  return found && launchChange(found.attempt, found.launch);
}

export function launchChangeWords({ reasons, arguments: change }: LaunchChange): readonly string[] {
  const listed = (all: readonly string[]): string => (all.length === 0 ? 'nothing' : quotedArguments(all));
  return [
    `Launch line changed: ${reasons.join('; ')}.`,
    ...(change ? [`Arguments removed: ${listed(change.removed)}; added: ${listed(change.added)}.`] : []),
  ];
}

export function modeLine({ path, before, after }: ModeChange): string {
  return `mode of ${path} changed from ${before} to ${after}`;
}

export function allowedWords(by: AllowedBy): string {
  return by.kind === 'plan' ? by.clause : `grant of ${by.decision.actor.name}`;
}

function given({ carried_over, granted }: LaunchAdjustment): readonly string[] {
  return [
    ...carried_over.map(({ permission, task_id }) => `${permission} carried over from ${task_id}, where it helped`),
    ...granted.map((grant) => `${grantWords(grant)} granted by ${grant.decision.actor.name} for this attempt`),
  ];
}

/** The arguments that occur more often in `all` than in `others`, in their order. */
function without(all: readonly string[], others: readonly string[]): string[] {
  const left = [...others];
  return all.filter((argument) => {
    const place = left.indexOf(argument);
    if (place === -1) return true;
    left.splice(place, 1);
    return false;
  });
}
