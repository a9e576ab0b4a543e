import type { HumanDecision } from '../../../contracts/record/header';
import { firstLines } from '../../../base/text/firstNamed';
import { decisionStep, stepLine } from '../../../base/text/steps';
import type { MissionCommand } from '../../../contracts/commands/missionCommand';
import { acceptCommand } from '../../lifecycle/judge/judgeVerifyChanges';
import { type Behaviours, type CommandDecision, type Refused, refuse, unknownTask } from './commandDecision';
import type { EventOf } from '../../model/events';
import { openChanges, type Progress, rowNamed, rowOf, type TaskRow, type Tasks } from '../../model/state';
import { namesMeant, nameOfChange, withAccepted } from '../../observation/outstanding';
import { blockFacts } from '../resolve/blockFacts';
import { editProblem } from '../resolve/planEdits';
import { remediesOf } from '../resolve/remedies';

type AcceptChanges = Extract<MissionCommand, { readonly type: 'AcceptChanges' }>;

export const accepting: Behaviours<'AcceptChanges'> = {
  AcceptChanges: {
    ...{ offered: 'blocked', refused: cannotAccept, decide: accept, continues: false },
    ofStep: ({ names }, task_id) => ({ type: 'AcceptChanges', task_id, names }),
  },
};

function cannotAccept(mission: Tasks, { task_id: taskId }: AcceptChanges): Refused | null {
  const row = rowNamed(mission, taskId);
  if (!row) return unknownTask(mission, taskId);
  if (row.status === 'failed')
    return refuse('MISSION_CLOSED', `Task ${taskId} failed (${row.code ?? 'FAILED'}): that cannot be accepted.`, [
      `mission status ${mission.mission_id}`,
    ]);
  if (openChanges(row).length > 0) return null;
  return refuse('CHANGE_UNKNOWN', `Nothing waits to be accepted for task ${taskId}.`, [
    `mission status ${mission.mission_id}`,
  ]);
}

/** A name is that of a change, or of a folder for all changes in it; the journal has each change by its own. */
function accept(
  mission: Progress,
  { task_id: taskId, names }: AcceptChanges,
  decision: HumanDecision,
): CommandDecision {
  const row = rowOf(mission, taskId);
  const open = openChanges(row);
  const unknown = names.filter((name) => namesMeant(name, open).length === 0);
  if (unknown.length > 0 || names.length === 0)
    return refuse(
      'CHANGE_UNKNOWN',
      `${unknown.length > 0 ? `Not on the list of ${taskId}: ${named(unknown)}. ` : ''}On it: ${named(open.map(nameOfChange))}.${whyUnknown(row, unknown)}`,
      [acceptCommand(mission, taskId, open)],
    );
  const chosen = new Set(names.flatMap((name) => namesMeant(name, open)));
  const left = open.filter((entry) => !chosen.has(nameOfChange(entry)));
  const accepted: EventOf<'ChangesAccepted'> = {
    type: 'ChangesAccepted',
    task_id: taskId,
    names: [...chosen],
    decision,
  };
  const then = left.length > 0 ? `Still on the list: ${named(left.map(nameOfChange))}.` : goOn(mission, row, accepted);
  return { events: [accepted], reason: `Accepted for task ${taskId}: ${named([...chosen])}. ${then}` };
}

/** Names the step that helps once nothing is left on the list, as the status recommends it then. */
function goOn(mission: Progress, before: TaskRow, accepted: EventOf<'ChangesAccepted'>): string {
  const row = { ...before, outstanding: withAccepted(before.outstanding, accepted) };
  const packet = mission.packets.findLast(({ task_id }) => task_id === accepted.task_id);
  const remedies = packet ? remediesOf(blockFacts(mission, row, packet)) : [];
  const way = remedies.find(
    ({ step }) => step.command !== 'plan revise' || !step.args.edit || editProblem(mission, step.args.edit) === null,
  );
  return `Go on with: ${way ? stepLine(way.step) : decisionStep('retry', mission.mission_id, accepted.task_id)}`;
}

function whyUnknown(row: TaskRow, unknown: readonly string[]): string {
  const before = row.outstanding.filter(({ settled }) => settled?.how === 'accepted').map(nameOfChange);
  const accepted = unknown.filter((name) => before.includes(name));
  const folders = unknown.map((name) => `${name}/`).filter((name) => namesMeant(name, openChanges(row)).length > 0);
  return [
    ...(accepted.length > 0 ? [` Accepted before: ${accepted.join(', ')}.`] : []),
    ...(folders.length > 0 ? [` A folder is named with its slash: ${folders.join(', ')}.`] : []),
  ].join('');
}

export function acceptedBy(rows: readonly TaskRow[]): readonly string[] {
  const all = rows.flatMap(({ outstanding }) =>
    outstanding.flatMap(({ settled }) => (settled?.how === 'accepted' ? [settled.decision.actor.name] : [])),
  );
  return [...new Set(all)];
}

/** `Ann: README.md, because`, for each decision that accepted changes; `shown` joins the names. */
export function acceptedWords(rows: readonly TaskRow[], shown = named): readonly string[] {
  const accepted = new Map<string, { readonly decision: HumanDecision; readonly names: string[] }>();
  for (const { outstanding } of rows) {
    for (const entry of outstanding) {
      if (entry.settled?.how !== 'accepted') continue;
      const { decision } = entry.settled;
      const key = `${decision.at} ${decision.actor.name} ${decision.reason}`;
      const known = accepted.get(key) ?? { decision, names: [] };
      known.names.push(nameOfChange(entry));
      accepted.set(key, known);
    }
  }
  return [...accepted.values()].map(
    ({ decision, names }) => `${decision.actor.name}: ${shown(names)}, ${decision.reason}`,
  );
}

function named(names: readonly string[]): string {
  return firstLines(names, 'the evidence of the task').join(', ');
}
