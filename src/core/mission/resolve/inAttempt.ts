import type { HumanDecision } from '../../../contracts/record/header';
import { stepLines, decisionStep } from '../../../base/text/steps';
import { memoryWords, isBeingSaved } from '../../lifecycle/memory';
import { tooMuch } from '../../memory/restore';
import { memoryName, standingsOf } from '../../memory/rememberedValue';
import type { MissionCommand } from '../../../contracts/commands/missionCommand';
import type { Attempt } from '../../model/attempt';
import type { Command } from '../../model/inputs';
import { laneOf, waitsForMemory, waitsForIntervention } from '../../model/lanes';
import { type ReceivedPlan, rowNamed, rowOf, type Tasks } from '../../model/state';
import { fewNamed } from '../../../base/text/firstNamed';
import { refuse, unknownTask, type Behaviours, type CommandDecision, type Refused } from '../parts/commandDecision';
import { withoutEnd } from '../../../base/text/plainLine';
import { leftOut } from '../../lifecycle/judge/judgeClaim';

type ConfirmMemory = Extract<MissionCommand, { type: 'ConfirmMemory' }>;

export const confirming: Behaviours<'ConfirmMemory'> = {
  ConfirmMemory: {
    offered: 'running',
    refused: cannotConfirm,
    decide: confirmMemory,
    ...{ continues: true, keepsPause: true },
  },
};

function cannotConfirm(mission: Tasks, { task_id: taskId }: ConfirmMemory): Refused | null {
  if (!rowNamed(mission, taskId)) return unknownTask(mission, taskId);
  const lane = laneOf(mission, taskId);
  const status = [`mission status ${mission.mission_id}`];
  if (!lane || !waitsForMemory(lane)) {
    const other = mission.lanes.find(waitsForMemory);
    const next = other?.memory ? stepLines(memoryWords(mission, other, other.memory).next.slice(0, 1)) : status;
    return refuse('MEMORY_NONE', `Nothing of task ${taskId} waits to be remembered.`, next);
  }
  // The memory is about to change, so what contradicts it is not known yet.
  const saving = mission.lanes.find(({ memory }) => memory && isBeingSaved(memory));
  return saving
    ? refuse('MISSION_ACTIVE', `What was kept of task ${saving.task_id} is being written; repeat it then.`, status)
    : null;
}

/** Each entry is kept, replaces what it contradicts, or is discarded. The person decides about every one of them. */
function confirmMemory(
  mission: Tasks,
  body: ConfirmMemory,
  decision: HumanDecision,
  { remembered }: Pick<Command, 'remembered'>,
): CommandDecision {
  const { task_id: taskId } = body;
  const lane = laneOf(mission, taskId);
  if (!lane?.memory || !remembered)
    return refuse('MEMORY_NONE', `Nothing of task ${taskId} waits.`, [`mission status ${mission.mission_id}`]);
  if (!remembered.ok) return remembered.refusal;
  const standings = standingsOf(lane.memory.entries, remembered.value);
  const now = { ...lane.memory, standings };
  const refused = undecided(mission, lane, now, body);
  if (refused) return refused;
  const open = standings.filter(({ state }) => state !== 'known').map(({ name }) => name);
  const saves = open.filter((name) => body.keep.includes(name) || body.replace.includes(name));
  const discards = open.filter((name) => !saves.includes(name));
  const entries = lane.memory.entries.filter((entry) => saves.includes(memoryName(entry)));
  const full = tooMuch(entries, remembered.value);
  if (full !== null)
    return refuse('MEMORY_FULL', `${full} Keep fewer of them, or let one replace another.`, [
      ...stepLines(memoryWords(mission, lane, now).next),
      `mission status ${mission.mission_id}`,
    ]);
  return {
    events: [{ type: 'MemoryDecided', task_id: taskId, attempt: lane.attempt, standings, saves, discards, decision }],
    reason:
      saves.length === 0
        ? `Nothing of ${taskId} is remembered.`
        : `Remembered from ${taskId}: ${fewNamed(saves)}${discards.length === 0 ? '' : `; discarded: ${fewNamed(discards)}`}.`,
  };
}

function undecided(
  mission: ReceivedPlan,
  lane: Attempt,
  memory: NonNullable<Attempt['memory']>,
  { keep, replace, discard }: ConfirmMemory,
): Refused | null {
  const steps = stepLines(memoryWords(mission, lane, memory).next);
  const standings = memory.standings ?? [];
  const names = [...keep, ...replace, ...discard];
  const strange = names.find((name) => !standings.some((one) => one.name === name));
  if (strange !== undefined)
    return refuse(
      'MEMORY_UNDECIDED',
      `Task ${lane.task_id} proposes nothing named ${strange}; it proposes ${fewNamed(standings.map(({ name }) => name))}.`,
      [...steps, `mission status ${mission.mission_id}`],
    );
  const conflict = standings.find(({ name, state }) => state === 'conflict' && keep.includes(name));
  if (conflict) {
    const { name, current } = conflict;
    const was = current
      ? `version ${current.version} says "${current.decision}"`
      : 'the version that it names is not there';
    return refuse('MEMORY_CONFLICT', `${name} contradicts what is remembered: ${was}. Say which of them counts.`, [
      ...steps,
      `mission status ${mission.mission_id}`,
    ]);
  }
  // A call that names nothing looks, and decides nothing, also where each entry is known by now.
  const open = standings.filter(
    ({ name, state }) => names.length === 0 || (state !== 'known' && names.filter((one) => one === name).length !== 1),
  );
  return open.length === 0
    ? null
    : refuse(
        'MEMORY_UNDECIDED',
        `${fewNamed(open.map(({ name }) => name))} ${open.length === 1 ? 'is' : 'are'} not decided. Decide each entry once: keep or discard it.`,
        [...steps, `mission status ${mission.mission_id}`],
      );
}

interface AboutTask {
  readonly task_id: string;
}

export const intervening: Behaviours<'CompleteIntervention'> = {
  CompleteIntervention: {
    offered: 'running',
    refused: cannotComplete,
    decide: completeIntervention,
    ...{ continues: true, keepsPause: true },
  },
};

function cannotComplete(mission: Tasks, { task_id: taskId }: AboutTask): Refused | null {
  if (!rowNamed(mission, taskId)) return unknownTask(mission, taskId);
  const lane = laneOf(mission, taskId);
  if (lane && waitsForIntervention(lane) && lane.intervention?.path) return null;
  const waiting = mission.lanes.filter((other) => other !== lane && waitsForIntervention(other));
  return refuse(
    'INTERVENTION_NONE',
    `No result of task ${taskId} waits to be completed by a person.`,
    waiting.length > 0
      ? waiting.map(({ task_id }) => decisionStep('intervene', mission.mission_id, task_id))
      : [`mission status ${mission.mission_id}`],
  );
}

/** Takes over the result packet that the person completed; the workspace is looked at next. */
function completeIntervention(
  mission: Tasks,
  { task_id: taskId }: AboutTask,
  decision: HumanDecision,
  { completed }: Pick<Command, 'completed'>,
): CommandDecision {
  const lane = laneOf(mission, taskId);
  const path = lane?.intervention?.path ?? '';
  const next = ['Mend it, and repeat the command.', decisionStep('stop', mission.mission_id, taskId)];
  if (!lane || completed?.ok !== true) {
    const problems = completed?.ok === false ? completed.problems : ['it was not read'];
    const reason = `${path} is no valid result packet: ${firstOf(problems)}. Nothing was taken over.`;
    return refuse('INTERVENTION_INVALID', reason, next);
  }
  const { claim } = completed;
  // Taken over as it is, it would use up the one time that a person is asked.
  const missing = claim.kind === 'valid' ? leftOut(rowOf(mission, taskId).task, claim.result) : [];
  if (missing.length > 0) {
    const reason = `${path} is still incomplete: ${firstOf(missing)}. Nothing was taken over.`;
    return refuse('INTERVENTION_INVALID', reason, next);
  }
  return {
    events: [{ type: 'InterventionCompleted', task_id: taskId, attempt: lane.attempt, claim, decision }],
    reason: `The result of ${taskId} is taken over as ${decision.actor.name} completed it; what was written is looked at, and the task is verified once more.`,
  };
}

function firstOf(problems: readonly string[]): string {
  return problems
    .slice(0, 5)
    .map((problem) => withoutEnd(problem))
    .join('; ');
}
