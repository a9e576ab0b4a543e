import type { AttemptFailure } from '../model/facts';
import { ranBeside, verifiesBeside } from '../model/lanes';
import type { Attempt } from '../model/attempt';
import { rowOf, type Mission, type TaskRow } from '../model/state';
import { blocks } from '../observation/attribute';
import { isPlanted } from '../observation/certain';
import type { Change } from '../observation/change';
import { announcedChanges } from '../observation/claim';
import { likelyMakers } from '../observation/likelyMakers';
import { signLines } from '../observation/makerSigns';
import { placeKey, undoes, type Outstanding } from '../observation/outstanding';
import { fewNamed, firstLines } from '../../base/text/firstNamed';
import { isOfPlan, planDiffers } from './planWait';
import { recoverable } from './recoverable';

/** When the locked plan is the only file changed out of scope, `judgePlanHash` judges it. */
export function judgeScope(mission: Mission, attempt: Attempt): AttemptFailure | null {
  const violations = attempt.observed?.changes.filter((change) => change.violation !== null) ?? [];
  if (violations.every((change) => change.path === mission.plan_path) && judgePlanHash(mission, attempt)) return null;
  if (violations.length === 0) return null;
  const beside = besideLines(mission, attempt);
  const who = beside.length === 0 ? 'The worker' : 'The worker, or one beside it,';
  const what = fewNamed(violations.map(({ path }) => path));
  return {
    kind: 'structural',
    code: 'SCOPE_VIOLATION',
    reason: violations.every((change) => isOnlyPlanted(attempt, change))
      ? `${what} changed while task ${attempt.task_id} ran. Nothing shows who changed it. It fails the mission, because git would use what was planted. Nothing was reverted.`
      : `${who} changed ${what} outside the approved paths of its task. Nothing was reverted.`,
    details: [
      ...firstLines(
        violations.map((change) => `${change.kind} ${change.path}: ${change.violation ?? ''}`),
        fileOf(attempt.task_id),
      ),
      ...beside,
    ],
  };
}

/** A planted hook fails the mission also where another program wrote it; the worker is named where it announced it. */
function isOnlyPlanted({ claim, scope_breach }: Attempt, change: Change): boolean {
  const claims = claim.kind === 'valid' ? claim.result.changes : [];
  return isPlanted(change.path) && scope_breach !== change.path && !announcedChanges(claims, [change]).has(change);
}

/** The plan was changed beyond doubt by the task's own worker; for any other change of it the attempt waits. */
export function judgePlanHash(mission: Mission, attempt: Attempt): AttemptFailure | null {
  const own = attempt.observed?.changes.some((change) => change.violation !== null && isOfPlan(mission, change));
  if (!own || !planDiffers(mission, attempt)) return null;
  return {
    kind: 'structural',
    code: 'PLAN_HASH_MISMATCH',
    reason: 'The worker changed the plan file; success can not be recorded against another plan.',
    details: [`locked ${mission.plan_sha256}`, `observed ${attempt.plan_sha256_observed ?? 'no readable file'}`],
  };
}

export function judgeAttribution(mission: Mission, attempt: Attempt): AttemptFailure | null {
  const unknown = unattributed(mission, attempt);
  if (unknown.length === 0) return null;
  const doubts = unknown.filter(({ doubt }) => doubt !== undefined);
  return recoverable(
    'external_change',
    `${fewNamed(unknown.map(({ path }) => path))} changed ${whenOf(attempt, unknown)}`,
    [
      ...unattributedLines(mission, attempt),
      ...verifyLines(mission, attempt),
      ...(doubts.length > 0 ? besideLines(mission, attempt) : []),
      ...likelyMakers(doubts),
      ...signLines(attempt.observed?.signs ?? [], new Set(doubts.map(({ path }) => path))),
    ],
  );
}

function whenOf({ task_id, intervention }: Attempt, unknown: readonly Change[]): string {
  if (intervention) return `outside its approved paths while a person completed the result of task ${task_id}.`;
  if (unknown.every(({ doubt }) => doubt !== undefined))
    return 'outside the approved paths while the worker ran. Nothing shows who changed it.';
  return unknown.every(({ by_others }) => by_others)
    ? 'during the attempt. Others did it, because its sandbox kept the worker from there; the mission relies on it.'
    : 'during the attempt; that can be attributed neither to the worker nor to a save in this editor.';
}

/**
 * Changes of unknown origin, and those of others on which the mission relies, except what undoes something that had
 * blocked an earlier attempt, and, in the old difference of a validation, what a person has accepted since.
 */
export function unattributed(mission: Mission, attempt: Attempt): readonly Change[] {
  const row = rowOf(mission, attempt.task_id);
  const gone = row ? goneIn(row, attempt) : [];
  const accepted = row && attempt.validates ? acceptedOf(row) : new Set();
  return (attempt.observed?.changes ?? []).filter(
    (change) => blocks(change) && !gone.some((entry) => undoes(change, entry)) && !accepted.has(bytesKey(change)),
  );
}

export function unattributedLines(mission: Mission, attempt: Attempt): readonly string[] {
  const found = unattributed(mission, attempt).map(
    ({ kind, path, relied_on, doubt = relied_on }) => `${kind} ${path}${doubt === undefined ? '' : `: ${doubt}`}`,
  );
  return firstLines(found, fileOf(attempt.task_id));
}

/** What had blocked an earlier attempt, and was found gone at the baseline of this one or after its worker. */
function goneIn(row: TaskRow, { attempt }: Attempt): readonly Outstanding[] {
  return row.outstanding.filter(({ settled }) => settled?.how === 'gone' && settled.attempt === attempt);
}

/** What a person accepted, with its bytes. */
function acceptedOf({ outstanding }: TaskRow): ReadonlySet<string> {
  return new Set(
    outstanding
      .filter(({ settled }) => settled?.how === 'accepted')
      .map((entry) => bytesKey({ ...entry, after_sha256: entry.found_sha256 })),
  );
}

function bytesKey(change: Parameters<typeof placeKey>[0] & Pick<Change, 'after_sha256'>): string {
  return `${placeKey(change)}\0${change.after_sha256?.toUpperCase() ?? ''}`;
}

/** The evidence file that lists all changes of the task. */
export function fileOf(task_id: string): string {
  return `TASK_${task_id}.json`;
}

/** Names the tasks that ran at the same time, because any of them may have written outside all locks. */
export function besideLines(mission: Mission, attempt: Attempt): readonly string[] {
  const tasks = new Set(ranBeside(mission, attempt).map(({ row }) => row.task.task_id));
  return tasks.size === 0 ? [] : [`ran beside it, with locks that hold none of this: ${[...tasks].join(', ')}`];
}

function verifyLines(mission: Mission, attempt: Attempt): readonly string[] {
  return verifiesBeside(mission, attempt).map(
    ({ task_id, argv }) => `ran meanwhile and may have written it: ${argv.join(' ')}, which verifies task ${task_id}`,
  );
}
