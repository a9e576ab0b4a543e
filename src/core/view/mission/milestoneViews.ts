import { withoutEnd } from '../../../base/text/plainLine';
import type { AssertionView, MilestoneState, MilestoneView } from '../../../contracts/page/milestoneView';
import type { MissionView } from '../../../contracts/page/missionView';
import { isOpen } from '../../ledger/transitions';
import { answersFor, isFailed, statusIn, validationFailures } from '../../lifecycle/judge/judgeReport';
import { validationFacts } from '../../mission/milestones/milestones';
import type { TaskRow, Progress } from '../../model/state';
import { utcText } from '../../../base/text/amounts';

export function milestoneViews(mission: Progress, interrupted: boolean): Pick<MissionView, 'milestones'> {
  const { milestones = [] } = mission.plan;
  if (milestones.length === 0) return {};
  return { milestones: milestones.map((milestone) => milestoneView(mission, milestone, interrupted)) };
}

function milestoneView(
  { rows, ending }: Progress,
  { id, title }: { readonly id: string; readonly title: string },
  interrupted: boolean,
): MilestoneView {
  const own = rows.filter(({ task }) => task.milestone === id);
  const unit = own.find(({ task }) => task.validator) ?? null;
  const tasks = own.filter((row) => row !== unit);
  const { validator } = unit?.task ?? {};
  const state = stateOf({ tasks, unit, over: ending !== null });
  const acceptance = unit?.acceptance ?? null;
  const ended = tasks.filter(hasEnded).length;
  const failures = unit ? validationFailures(unit) : 0;
  const limit = validator?.failure_limit ?? null;
  return {
    id,
    title,
    validator: unit?.task.task_id ?? null,
    mode: validator?.mode ?? null,
    state,
    sentence: sentenceOf({ state, unit, tasks, ended, interrupted }),
    accepted: acceptance && {
      attempt: acceptance.attempt,
      at: acceptance.at,
      tree_sha256: acceptance.tree_sha256,
      head: acceptance.head,
    },
    failures,
    limit,
    tasks: tasks.map(({ task }) => task.task_id),
    ended,
    commands: unit?.task.verify.length ?? 0,
    assertions: unit ? assertionsOf(unit, state) : [],
  };
}

export function hasEnded({ status, skipped }: TaskRow): boolean {
  return status === 'done' || (status === 'canceled' && skipped !== null);
}

/** @param over the mission has ended */
function stateOf({
  tasks,
  unit,
  over,
}: {
  readonly tasks: readonly TaskRow[];
  readonly unit: TaskRow | null;
  readonly over: boolean;
}): MilestoneState {
  const own = unit ? [...tasks, unit] : tasks;
  if (own.some(({ status }) => status === 'failed')) return 'failed';
  // Stored, never derived from how the unit or the tasks ended.
  if (unit?.acceptance) return 'accepted';
  if (unit?.skipped) return 'skipped';
  if (own.some(({ status }) => status === 'blocked')) return 'waiting';
  if (unit && !isOpen(unit.status)) return unit.status === 'done' ? 'reopened' : 'canceled';
  if (unit && unit.outdated !== null) return 'reopened';
  if (!unit && tasks.every(hasEnded)) return 'reached';
  if (over || (!unit && tasks.every(({ status }) => !isOpen(status)))) return 'canceled';
  return own.some(({ status, started_at }) => status !== 'todo' || started_at !== null) ? 'running' : 'pending';
}

interface Standing {
  readonly state: MilestoneState;
  readonly unit: TaskRow | null;
  readonly tasks: readonly TaskRow[];
  readonly ended: number;
  /** No process runs the mission. */
  readonly interrupted: boolean;
}

function sentenceOf({ state, unit, tasks, ended, interrupted }: Standing): string {
  const progress = tasks.length === 0 ? 'No task belongs to it' : `${ended} of ${tasks.length} tasks have ended`;
  switch (state) {
    case 'pending':
      return 'Nothing of it has started.';
    case 'running':
      return unit?.status === 'in_progress'
        ? `${interrupted ? 'Its validation was interrupted' : 'It is being validated'}, attempt ${unit.attempts.length + 1}.`
        : `${progress}${unit ? '; then it is validated' : ''}.`;
    case 'waiting': {
      const row = [...tasks, ...(unit ? [unit] : [])].find(({ status }) => status === 'blocked');
      return `${row?.task.task_id ?? ''} is blocked: ${sentence(row?.reason ?? '')}`;
    }
    case 'accepted':
      return `Accepted at ${utcText(unit?.acceptance?.at ?? '')} for the content ${unit?.acceptance?.tree_sha256.slice(0, 12) ?? ''}.`;
    case 'reopened':
      return sentence(unit?.outdated ?? 'What it was accepted for is not known, so it is validated again');
    case 'failed': {
      const row = [...tasks, ...(unit ? [unit] : [])].find(({ status }) => status === 'failed');
      return `${row?.task.task_id ?? ''} failed: ${sentence(row?.reason ?? '')}`;
    }
    case 'skipped':
      return `Not validated, so it is not accepted: ${sentence(unit?.reason === '' ? 'a person skipped it' : (unit?.reason ?? ''))}`;
    case 'canceled':
      return `${unit ? 'Not accepted' : 'Not reached'}: the mission ended before. ${progress}.`;
    case 'reached':
      return `${progress}; the plan asks for no validation.`;
  }
}

function sentence(text: string): string {
  return `${withoutEnd(text)}.`;
}

/** Returns what the last validation found, as far as it is about the content as it is. */
function assertionsOf(row: TaskRow, state: MilestoneState): readonly AssertionView[] {
  const { assertions = [] } = row.task.validator ?? {};
  const found = state === 'reopened' || state === 'pending' ? [] : lastFound(row);
  return assertions.map(({ id, text }) => {
    const one = found.find((answer) => answer.id === id);
    return {
      id,
      text,
      status: one?.status ?? null,
      evidence: one?.evidence ?? '',
      answered_by: one?.answered_by ?? null,
    };
  });
}

function lastFound(row: TaskRow): readonly Omit<AssertionView, 'text'>[] {
  const last = row.attempts.at(-1);
  const assertions = last
    ? validationFacts(row, last)?.assertions
    : row.carried?.attempts.findLast(({ validation }) => validation)?.validation?.assertions;
  const answers = last && !isFailed(last) ? [...answersFor(row, row.answers, last.tree ?? '').entries()] : [];
  return [
    ...answers.map(([id, answer]) => ({
      id,
      status: statusIn(answer),
      evidence: answer.decision.reason,
      answered_by: answer.decision.actor.name,
    })),
    ...(assertions ?? []).map(({ id, status, evidence, decision }) => ({
      id,
      status,
      evidence,
      answered_by: decision?.actor.name ?? null,
    })),
  ];
}
