import type { AttemptFailure } from '../model/facts';
import { openChanges, type Attempt, type Mission, type TaskRow } from '../model/state';
import { fewNamed, firstLines } from '../../base/text/firstNamed';
import { decisionStep } from '../../base/text/steps';
import { nameOf, outstandingLine, placeKey, unreadChange, type OutstandingChange } from '../observation/outstanding';
import { besideLines, fileOf, unattributed } from './judgeChanges';

/** A verify command changed what has to stay as it is. */
export function judgeVerifyChanges(mission: Mission, attempt: Attempt): AttemptFailure | null {
  const changes = blocking(attempt);
  if (changes.length === 0) return null;
  const what = fewNamed(changes.map(nameOf));
  return {
    kind: 'recoverable',
    category: 'verify_changed_files',
    reason: `The verify commands, or somebody beside them, changed ${what} which they must leave alone. Nothing was reverted.`,
    details: [...firstLines(changes.map(outstandingLine), fileOf(attempt.task_id)), ...besideLines(mission, attempt)],
    human_only: null,
  };
}

/** What blocked an earlier attempt is still there: whatever this one did, it does not make that good. */
export function judgeOutstanding(row: TaskRow): AttemptFailure | null {
  const open = openChanges(row);
  if (open.length === 0) return null;
  const attempts = [...new Set(open.map(({ attempt }) => attempt))].join(', ');
  return {
    kind: 'recoverable',
    category: open.some(({ category }) => category === 'verify_changed_files')
      ? 'verify_changed_files'
      : 'external_change',
    reason: `What blocked attempt ${attempts} is still there, and nobody has accepted it.`,
    details: firstLines(open.map(outstandingLine), fileOf(row.task.task_id)),
    human_only: null,
  };
}

/** What of a blocked attempt goes on the list of its task. */
export function blockedBy(mission: Mission, attempt: Attempt, failure: AttemptFailure): readonly OutstandingChange[] {
  if (failure.kind !== 'recoverable') return [];
  const nobodys = unattributed(mission, attempt).map(
    ({ path, kind, before_sha256, after_sha256, resolved_path, detail }): OutstandingChange => ({
      path,
      kind,
      before_sha256,
      found_sha256: after_sha256,
      resolved_path,
      detail,
      why: 'changed during the attempt, and it is neither the worker’s nor a save of this editor',
      category: 'external_change',
      attempt: attempt.attempt,
    }),
  );
  const known = new Set(nobodys.map(placeKey));
  const later = blocking(attempt).filter((change) => !known.has(placeKey(change)));
  return [...nobodys, ...later, ...(attempt.unread === null ? [] : [unreadChange(attempt.attempt, attempt.unread)])];
}

/** The next valid step for what is on the list (the first twenty of it), in words that can be typed. */
export function acceptCommand(mission: Mission, task_id: string, changes: readonly OutstandingChange[]): string {
  const names = [...new Set(changes.map(nameOf))];
  const shown = names.slice(0, 20).map(quoted).join(' ');
  return decisionStep('accept', mission.mission_id, task_id, shown);
}

function blocking(attempt: Attempt): readonly OutstandingChange[] {
  return (attempt.after_verify?.changes ?? []).flatMap((change): readonly OutstandingChange[] =>
    change.blocks === null
      ? []
      : [
          {
            path: change.path,
            kind: change.kind,
            before_sha256: change.before_sha256,
            found_sha256: change.after_sha256,
            resolved_path: change.resolved_path,
            detail: change.detail,
            why: change.blocks,
            category: 'verify_changed_files',
            attempt: attempt.attempt,
          },
        ],
  );
}

function quoted(name: string): string {
  return /^[\w./:@%+=,-]+$/.test(name) ? name : `'${name.replaceAll("'", "'\\''")}'`;
}
