import { taskFile } from '../../../contracts/vocabulary/files/evidenceFiles';
import { sidesOf } from '../../../base/fileState';
import type { AttemptFailure } from '../../model/facts';
import type { Attempt } from '../../model/attempt';
import { sinceWorker } from '../../observation/verifyChange';
import { openChanges, type Tasks, type ReceivedPlan } from '../../model/state';
import type { Change, RawChange } from '../../observation/change';
import { fewNamed, firstLines } from '../../../base/text/firstNamed';
import type { StepOf } from '../../../contracts/vocabulary/steps';
import { stepLine } from '../../../base/text/steps';
import {
  acceptNames,
  nameOfChange,
  outstandingLine,
  placeKey,
  unreadChange,
  type OutstandingChange,
} from '../../observation/outstanding';
import { besideLines, unattributed } from './judgeChanges';
import { recoverable } from '../parts/recoverable';
import type { Judged } from './rules';

export function judgeVerifyChanges({ mission, attempt }: Judged): AttemptFailure | null {
  const changes = blocking(attempt);
  if (changes.length === 0) return null;
  const what = fewNamed(changes.map(nameOfChange));
  return recoverable(
    'verify_changed_files',
    `The verify commands, or another program meanwhile, changed ${what} which they must leave alone. Nothing was reverted.`,
    [...firstLines(changes.map(outstandingLine), taskFile(attempt.task_id)), ...besideLines(mission, attempt, changes)],
  );
}

export function judgeOutstanding({ row }: Judged): AttemptFailure | null {
  const open = openChanges(row);
  if (open.length === 0) return null;
  return recoverable(
    open.some(({ category }) => category === 'verify_changed_files') ? 'verify_changed_files' : 'external_change',
    openWords(open),
    firstLines(open.map(outstandingLine), taskFile(row.task.task_id)),
  );
}

function openWords(open: readonly OutstandingChange[]): string {
  const names = fewNamed(open.map(nameOfChange));
  if (open.every(({ accepted_before_by: by }) => by !== undefined))
    return `Of what a person accepted, this has changed since: ${names}.`;
  const attempts = [...new Set(open.map(({ attempt }) => attempt))].join(', ');
  return `What blocked attempt ${attempts} is still there, and no person has accepted it.`;
}

export function blockedBy(mission: Tasks, attempt: Attempt, failure: AttemptFailure): readonly OutstandingChange[] {
  if (failure.kind !== 'recoverable') return [];
  const unknown = unattributed(mission, attempt).map((change) =>
    outstandingOf(change, { why: whyOf(change), category: 'external_change', attempt: attempt.attempt }),
  );
  const listed = new Set(unknown.map(placeKey));
  const later = blocking(attempt).filter((change) => !listed.has(placeKey(change)));
  return [...unknown, ...later, ...(attempt.unread === null ? [] : [unreadChange(attempt.attempt, attempt.unread)])];
}

function whyOf({ relied_on, doubt, layered }: Change): string {
  if (relied_on !== undefined) return `was changed by others during the attempt, and ${relied_on}`;
  if (layered) return `waits in a layer, and it ${doubt ?? ''}`;
  return doubt === undefined
    ? 'changed during the attempt, and it is neither the worker’s nor a save of this editor'
    : `changed while the worker ran, nothing shows who changed it, and it ${doubt}`;
}

/** How the last detail of a block with outstanding changes begins. */
export const putBackWords = 'Put back what is listed as';

export function putBackStep(mission: ReceivedPlan, task_id: string, open: readonly OutstandingChange[]): string {
  const how = acceptNames(open).length < open.length ? `all ${open.length} by their folders` : 'it by name';
  const other = open.every(({ layered }) => layered)
    ? 'A new attempt begins without it'
    : `${putBackWords} ${[...new Set(open.map(wasWords))].join(', or as ')}`;
  return `${other}, or accept ${how}: ${acceptCommand(mission, task_id, open)}`;
}

function wasWords({ category, attempt }: OutstandingChange): string {
  return category === 'verify_changed_files'
    ? `the worker of attempt ${attempt} left it`
    : `it was before attempt ${attempt}`;
}

/** The step that accepts all changes of a list, by their folders where they are many. */
export function acceptStep(
  { mission_id: mission }: ReceivedPlan,
  task: string,
  changes: readonly OutstandingChange[],
): StepOf<'accept'> {
  return { command: 'accept', args: { mission, task, names: acceptNames(changes) } };
}

export function acceptCommand(mission: ReceivedPlan, task: string, changes: readonly OutstandingChange[]): string {
  return stepLine(acceptStep(mission, task, changes));
}

/** Compares what a check changed with what the worker left, because that is the work. */
function blocking(attempt: Attempt): readonly OutstandingChange[] {
  const left = new Map((attempt.observed?.changes ?? []).map((change) => [placeKey(change), change]));
  return (attempt.after_verify?.changes ?? []).flatMap((change): readonly OutstandingChange[] =>
    change.blocks === null
      ? []
      : [
          outstandingOf(sinceWorker(change, left.get(placeKey(change))), {
            ...{ why: change.blocks, category: 'verify_changed_files', attempt: attempt.attempt },
          }),
        ],
  );
}

function outstandingOf(
  change: RawChange,
  blocks: Pick<OutstandingChange, 'why' | 'category' | 'attempt'>,
): OutstandingChange {
  const { path, kind, before_sha256, after_sha256, resolved_path, detail, layered } = change;
  return {
    ...{ path, kind, before_sha256, found_sha256: after_sha256, ...sidesOf(change), resolved_path, detail, ...blocks },
    ...(layered && { layered }),
  };
}
