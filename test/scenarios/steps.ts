import assert from 'node:assert/strict';
import { openDependants } from '../../src/base/dependants';
import { recoveryOutcomes } from '../../src/contracts/vocabulary/recovery';
import type { MissionCommand } from '../../src/contracts/commands/missionCommand';
import { laneOf } from '../../src/core/model/lanes';
import { undoPlan } from '../../src/core/lifecycle/changes/undoPlan';
import { rowOf, type Mission } from '../../src/core/model/state';
import { stepLines } from '../../src/base/text/steps';
import { possibleSteps, type BlockView } from '../../src/contracts/page/blockView';

/** What a person can type about a block, the recommended step first. */
export function linesOf(block: BlockView | undefined): readonly string[] {
  return block ? stepLines(possibleSteps(block)) : [];
}

/** A step that is offered can be followed there and then: no refusal sends a person to another refusal. */
export function assertFollowable(
  steps: readonly string[],
  mission: Mission,
  refused: (command: MissionCommand) => string | null,
): void {
  for (const step of steps) {
    if (step.startsWith('mission run '))
      assert.equal(mission.execution, 'REPORTED', `${step}: refused, its mission is open`);
    const command = commandOf(step, mission);
    if (command) assert.equal(refused(command), null, `${step}: refused`);
  }
}

/** The decision that a step types; null where it is another command, or about another mission. */
function commandOf(step: string, mission: Mission): MissionCommand | null {
  const [, typed] = /^mission (.*) --by NAME --reason TEXT$/.exec(step) ?? [];
  const [verb, id, ...rest] = (typed ?? '').split(' ');
  if (verb === 'packet' && id === 'revise') return null;
  if (verb === 'packet') {
    const outcome = recoveryOutcomes.find((one) => one === rest[2]);
    if (outcome === 'ask-user' && rest[0] !== undefined)
      return { type: 'ResolvePacket', packet_id: rest[0], outcome, question: 'Which?' };
    assert.ok(outcome !== undefined && rest[0] !== undefined, step);
    return { type: 'ResolvePacket', packet_id: rest[0], outcome };
  }
  if (id !== mission.mission_id) return null;
  const [task_id = '', ...names] = rest;
  switch (verb) {
    case 'pause':
      return { type: 'PauseMission' };
    case 'resume':
      return { type: 'ResumeMission' };
    case 'cancel':
      return { type: 'CancelMission' };
    case 'acknowledge':
      return { type: 'Acknowledge' };
    case 'stop':
      return { type: 'StopTask', task_id };
    case 'retry':
      return { type: 'RetryTask', task_id };
    case 'rerun-validation':
      return { type: 'RerunValidation', task_id };
    case 'intervene':
      return { type: 'CompleteIntervention', task_id };
    case 'memory': {
      const [, , task = '', ...options] = typed?.split(' ').slice(1) ?? [];
      return confirmOf(mission, task, options);
    }
    case 'skip': {
      const tasks = mission.rows.map(({ task, status }) => ({
        task_id: task.task_id,
        depends_on: task.depends_on,
        status,
      }));
      return { type: 'SkipTask', task_id, dependants: openDependants(tasks, task_id) };
    }
    case 'undo': {
      const row = rowOf(mission, task_id);
      return { type: 'UndoAttempt', task_id, attempt: undoPlan(row, false)?.attempt ?? 0, leaves: [] };
    }
    case 'grant': {
      // The command line makes an absolute path of what was typed.
      const directory = task_id === '.' ? '/ws' : task_id;
      return { type: 'GrantDirectory', task_id: names[1] ?? null, directory };
    }
    case 'answer': {
      const choice = names[1] === '--choice' ? (names[2] ?? '') : null;
      const text = choice === null ? 'this one' : null;
      const place = { task_id: null, packet_id: null, [task_id === '--packet' ? 'packet_id' : 'task_id']: names[0] };
      return { type: 'AnswerQuestion', ...place, asked: null, choice, text };
    }
    case 'accept':
      return { type: 'AcceptChanges', task_id, names };
    default:
      return assert.fail(`nobody knows how to follow ${step}`);
  }
}

/** What `mission memory confirm` makes of its options, of which each conflict is named by one. */
function confirmOf(mission: Mission, task_id: string, options: readonly string[]): MissionCommand {
  const open = (laneOf(mission, task_id)?.memory?.standings ?? []).filter(({ state }) => state !== 'known');
  const after = (option: string): readonly string[] => options.filter((_, index) => options[index - 1] === option);
  const [replace, old] = [after('--replace'), after('--keep-old')];
  const all = open.map(({ name }) => name);
  if (options.includes('--discard-all')) return { type: 'ConfirmMemory', task_id, keep: [], replace: [], discard: all };
  const keep = all.filter((name) => !replace.includes(name) && !old.includes(name));
  return { type: 'ConfirmMemory', task_id, keep, replace, discard: old };
}
