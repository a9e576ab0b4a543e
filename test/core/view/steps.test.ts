import assert from 'node:assert/strict';
import { decisionStep, paletteWords, stepLine, stepLines, stepTexts } from '../../../src/base/text/steps';
import { possibleSteps } from '../../../src/contracts/page/blockView';
import type { MissionView } from '../../../src/contracts/page/missionView';
import type { Step } from '../../../src/contracts/vocabulary/steps';
import { packetFacts } from '../../../src/core/mission/documents';
import type { Mission, Packet } from '../../../src/core/model/state';
import { packetMarkdown } from '../../../src/core/packets/markdown';
import { recoveryPacket } from '../../../src/core/packets/packet';
import { missionView } from '../../../src/core/view/mission/missionView';
import { taskOutcome } from '../../../src/core/view/mission/taskOutcome';
import { cases } from '../../scenarios/cases';
import { leftBehind, refusedAs } from '../../scenarios/leftBehind';
import { played } from '../../scenarios/played';
import { assertFollowable } from '../../scenarios/steps';

const scenarios = cases().flatMap(([, list]) => list);

describe('the next steps that a person is shown', () => {
  it('are there wherever a mission waits for a person, and each can be followed there and then', () => {
    const waiting = new Map<string, Set<string>>();
    for (const scenario of scenarios) {
      const { title } = scenario;
      const { mission } = played(scenario);
      const view = missionView(mission, [], new Map(), true);
      const steps = stepsOf(view);
      assertFollowable(followed(view), mission, (command) => refusedAs(mission, command, scenario, true));
      const kind = kindOf(view);
      if (kind === null) {
        assert.deepEqual(steps, [], title);
        continue;
      }
      const verbs = waiting.get(kind) ?? new Set();
      for (const { command } of steps) verbs.add(command);
      waiting.set(kind, verbs);
      assert.ok(steps.length > 0 && paletteWords(steps) !== null, `${title}: ${view.headline}`);
    }
    const told = [...waiting].map(([kind, verbs]) => `${kind}: ${[...verbs].sort().join(', ')}`);
    assert.deepEqual(told.sort(), [
      'ASK_USER: cancel, memory confirm, stop',
      'INTERVENTION_REQUIRED: cancel, intervene, stop',
      'NON_COMPLIANT: cancel, resume',
      'PLAN_HASH_MISMATCH: cancel, mend, resume',
      'blocked: accept, answer, cancel, context new, grant, packet resolve, packet revise, plan revise, rerun-validation, resume, retry, skip, undo',
      'failed: acknowledge, plan revise',
      'paused: cancel, resume',
      'processes: cancel, packet resolve, plan revise, resume, retry, skip',
    ]);
  });

  it('are those of each packet outcome too: possible commands, steps of a refusal and steps of its text', () => {
    let followedSteps = 0;
    for (const scenario of scenarios) {
      const { mission } = played(scenario);
      const view = missionView(mission, [], new Map(), true);
      if (followed(view).length === 0) continue;
      for (const { packet_id, ways } of view.blocks) {
        const packet = mission.packets.find((one) => one.packet_id === packet_id);
        assert.ok(packet);
        const text = packetMarkdown(recoveryPacket(packetFacts(mission, packet, 'm', []))).toString();
        const steps = [
          ...ways.flatMap(({ step, refused }) => refused?.next ?? [stepLine(step)]),
          ...[...text.matchAll(/`(mission [^`]+)`/g)].flatMap(([, step = '']) =>
            // What it asks was answered, and only recorded: the command says so below the text.
            packet.answer === null ? typed(mission, packet, step) : [],
          ),
        ].filter((step) => !step.startsWith('mission grant '));
        assertFollowable(steps, mission, (command) => refusedAs(mission, command, scenario, true));
        followedSteps += steps.length;
      }
    }
    assert.ok(followedSteps > 100, String(followedSteps));
  });

  it('are there wherever an owner died, and each can be followed there and then', () => {
    for (const scenario of scenarios)
      for (const mission of leftBehind(scenario)) {
        const view = missionView(mission, [], new Map(), false);
        assertFollowable(followed(view), mission, (command) => refusedAs(mission, command, scenario));
        assert.ok(stepsOf(view).length > 0 || mission.execution === 'REPORTED', `${scenario.title}: ${view.headline}`);
      }
  });

  it('are those of the terminal whose worker ended, for every task that waits', () => {
    let tasks = 0;
    for (const scenario of scenarios) {
      const { mission } = played(scenario);
      const view = missionView(mission, [], new Map(), true);
      for (const row of mission.rows) {
        const { outcome } = taskOutcome(mission, row) ?? {};
        const block = view.blocks.find(({ task_id }) => task_id === row.task.task_id);
        const awaited = view.tasks.find(({ task_id }) => task_id === row.task.task_id)?.awaited;
        const steps = block ? possibleSteps(block) : awaited ? view.attention?.next : undefined;
        if (outcome) assert.deepEqual(outcome.next, steps && stepTexts(steps));
        if (outcome?.next) tasks++;
      }
    }
    assert.ok(tasks > 20, String(tasks));
  });
});

function stepsOf({ attention, blocks, next = [] }: MissionView): readonly Step[] {
  return [...(attention?.next ?? []), ...blocks.flatMap(possibleSteps), ...next];
}

/**
 * Without grants, which the command line gives real folders, and without a plan whose tasks wait for each other, which no
 * check lets start.
 */
function followed(view: MissionView): readonly string[] {
  if (view.blocks.some(({ attempt }) => attempt === 0)) return [];
  return stepLines(stepsOf(view).filter(({ command }) => command !== 'grant'));
}

/** A decision that the text of a packet names, as a person types it. */
function typed({ mission_id }: Mission, { question, task_id }: Packet, step: string): readonly string[] {
  const [, bare] = /^mission (resume|retry)$/.exec(step) ?? [];
  if (bare !== undefined) return [decisionStep(bare, mission_id, ...(bare === 'retry' ? [task_id] : []))];
  return / --by /.test(step) ? [step.replace(/ --choice ID\b/, ` --choice ${question?.choices[0]?.id ?? ''}`)] : [];
}

/** What the mission waits for; null: for nothing. */
function kindOf({ attention, blocks, ending, acknowledged, status }: MissionView): string | null {
  if (attention) return attention.code ?? 'processes';
  if (blocks.length > 0) return 'blocked';
  if (ending) return ending.outcome === 'FAILED' && !ending.cancelled && !acknowledged ? 'failed' : null;
  return status;
}
