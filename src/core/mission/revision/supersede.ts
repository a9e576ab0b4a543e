import type { HumanDecision } from '../../../contracts/record/header';
import { fileStep, stepLine } from '../../../base/text/steps';
import type { CarriedTask, SupersededBy } from '../../model/carried';
import type { EventOf, MissionEvent } from '../../model/events';
import type { Command } from '../../model/inputs';
import type { Mission, Course, Progress } from '../../model/state';
import { refuse, type Behaviours, type CommandDecision, type Refused, closed } from '../parts/commandDecision';
import { cancelUnderWay, retryTreeSearch } from '../takeover/takeover';

export const superseding: Behaviours<'SupersedeMission'> = {
  SupersedeMission: {
    offered: revisable,
    // `supersede` judges it, because only that knows which plan asks.
    refused: () => null,
    decide: supersede,
    continues: false,
    afterEnd: ({ moved }) => (moved === null ? 'taken' : null),
  },
};

export function revisable({ moved, superseded }: Pick<Mission, 'moved' | 'superseded'>): boolean {
  return moved === null && superseded === null;
}

/**
 * Ends a mission because a person approved a revision of its plan: workers are stopped, open tasks canceled. One that
 * has ended stays as it is; its failure has been seen. The same revision once more changes nothing.
 */
function supersede(
  mission: Progress,
  by: SupersededBy,
  decision: HumanDecision,
  { revision }: Pick<Command, 'revision'>,
): CommandDecision {
  const { plan_id, plan_sha256 } = by;
  const before = mission.superseded;
  const endsAnyway = closed(mission) || cancelUnderWay(mission);
  if (before?.plan_id === plan_id && before.plan_sha256 === plan_sha256 && endsAnyway)
    return { events: [], reason: `The mission is superseded by ${planName(plan_id)} already.` };
  const place = `docs/plans/${planName(plan_id)}.json`;
  if (revision?.approved !== true)
    return refuse('APPROVAL_RECORD_REQUIRED', `These bytes of ${planName(plan_id)} were not approved here.`, [
      fileStep('plan approve', place, '--by NAME'),
    ]);
  const late = ranInstead(mission, plan_id, revision.ran);
  if (late) return late;
  const ends = !closed(mission);
  return {
    events: [
      { type: 'MissionSuperseded', plan_id, plan_sha256, decision },
      ...(ends ? mission.lanes : []).map(({ task_id }): MissionEvent => ({
        type: 'TaskStopRequested',
        task_id,
        decision,
      })),
    ],
    reason: ends
      ? 'The mission is being ended: its workers are stopped first, then its open tasks are canceled. The revision goes on in its place.'
      : 'The mission has ended; the revision goes on in its place.',
  };
}

/** Says why a revision comes too late, because another one ran in its place (as these missions); null: none did. */
export function ranInstead({ superseded: by }: Course, planId: string, [ran]: readonly string[]): Refused | null {
  if (!by || by.plan_id === planId || ran === undefined) return null;
  const reason = `The mission is superseded by ${planName(by.plan_id)}, which ran as ${ran}: a further revision is one of that plan.`;
  return refuse('PLAN_SUPERSEDED', reason, [reviseStep({ mission_id: ran })]);
}

export function superseded(mission: Mission, event: EventOf<'MissionSuperseded'>): Mission {
  const { plan_id, plan_sha256, decision } = event;
  const next = { ...mission, superseded: { plan_id, plan_sha256, decision }, acknowledged: decision };
  // What a person canceled before stays canceled by them.
  const before = mission.superseded === null ? (mission.cancel ?? decision) : decision;
  return closed(mission) ? next : retryTreeSearch({ ...next, cancel: before });
}

/** Says why open tasks are canceled; null where that has another reason. */
export function supersededWords({ superseded: by, cancel }: Course): string | null {
  return by && cancel?.at === by.decision.at && cancel.reason === by.decision.reason
    ? `superseded by ${planName(by.plan_id)}`
    : null;
}

/** The events by which the tasks of a revision that were done before are done, edge by edge. */
export function carriedOver(tasks: readonly CarriedTask[]): readonly MissionEvent[] {
  if (tasks.length === 0) return [];
  return [
    ...tasks.flatMap(({ task_id, from }): readonly MissionEvent[] => {
      const reason = `Carried over: done in mission ${from.mission_id} of ${planName(from.plan_id)}.`;
      const edge = { type: 'RowTransitioned', task_id, code: null, reason } as const;
      return [
        { ...edge, from: 'todo', to: 'in_progress' },
        { ...edge, from: 'in_progress', to: 'done' },
      ];
    }),
    { type: 'TasksCarried', tasks },
  ];
}

export function reviseStep({ mission_id: mission }: Pick<Mission, 'mission_id'>): string {
  return stepLine({ command: 'plan revise', args: { mission } });
}

export function planName(planId: string): string {
  return `PLAN_${planId}`;
}
