import path from 'node:path';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import type { MissionEvent } from '../../src/core/model/events';
import type { EngineOptions, EnginePorts, HostPorts } from '../../src/engine/ports/engine';
import type { MissionEngine } from '../../src/engine/mission/engine';
import { startMission } from '../../src/engine/mission/start';
import { endRuns } from '../support/endRuns';
import { openRealPorts } from '../support/realPorts';
import { createMemoryJournal, type MemoryJournal } from '../support/memoryJournal';

/** A workspace on disk with real supervisors and workers; only the journal can be made to fail. */
export interface RealMission {
  readonly dir: string;
  readonly ports: EnginePorts;
  readonly options: EngineOptions;
  readonly journal: MemoryJournal<MissionEvent>;
  readonly engine: MissionEngine;
  /** Ends every process of its launches, however the test went, then removes the workspace. */
  dispose(): Promise<void>;
}

export interface TaskSpec {
  readonly task_id: string;
  readonly command?: readonly string[];
  readonly [field: string]: unknown;
}

/**
 * @param change what a test puts in the place of ports
 * @param execution members of the plan's `execution`
 */
export async function startRealMission(
  tasks: readonly TaskSpec[],
  change: Partial<EnginePorts> | ((ports: EnginePorts) => Partial<EnginePorts>) = {},
  execution: Readonly<Record<string, unknown>> = {},
): Promise<RealMission> {
  const dir = await mkdtemp(path.join(tmpdir(), 'mission-engine-'));
  await mkdir(path.join(dir, 'docs/plans'), { recursive: true });
  const planPath = path.join(dir, 'docs/plans/PLAN_P1.json');
  await writeFile(planPath, JSON.stringify(planOf('P1', tasks, execution), null, 2));
  const opened = await openRealPorts(dir);
  const journal = createMemoryJournal<MissionEvent>();
  const fence = await journal.raiseFence({ kind: 'human', name: 'test' });
  if (!fence.ok) throw new Error(fence.refusal.reason);
  const ports: HostPorts = {
    ...opened.ports,
    ...(typeof change === 'function' ? change(opened.ports) : change),
    journal,
    records: journal as unknown as HostPorts['records'],
  };
  const options: EngineOptions = {
    tool_version: '0.0.0-test',
    fence: fence.value.fence,
    ticket_seconds: 60,
    grace_seconds: 1,
  };
  const started = await startMission(
    {
      plan_path: planPath,
      actor: { kind: 'human', name: 'ada' },
      default_worker: 'claude',
      require_approval_record: false,
    },
    ports,
    options,
  );
  if (started.kind !== 'started') throw new Error(`${started.refusal.code}: ${started.refusal.reason}`);
  return {
    dir,
    ports,
    options,
    journal,
    engine: started.engine,
    async dispose() {
      started.engine.detach();
      await opened.close();
      await endRuns(dir);
      await rm(dir, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

/** What comes with a command of a person who owns. */
export const details: Parameters<MissionEngine['command']>[3] = {
  reason: 'test',
  expected_seq: null,
  from_worker: false,
  identified: true,
  owner_was_absent: false,
  active_elsewhere: null,
};

/** Resolves when the engine's state satisfies the condition. */
export function until(engine: MissionEngine, condition: (engine: MissionEngine) => boolean): Promise<void> {
  if (condition(engine)) return Promise.resolve();
  return new Promise((resolve) => {
    const check = (): void => {
      if (!condition(engine)) return;
      listening.dispose();
      resolve();
    };
    const listening = engine.listen({ onEntries: check, onHalt: check });
  });
}

export function planOf(
  planId: string,
  tasks: readonly TaskSpec[],
  execution: Readonly<Record<string, unknown>> = {},
): object {
  return {
    contract_version: 'S2-B-05.v1',
    plan_id: planId,
    goal_id: 'G1',
    created_at: '2026-01-01T00:00:00Z',
    planner: 'test',
    status: 'APPROVED',
    risk: { level: 1 },
    scope: { allowed: ['edit'], forbidden: [] },
    tasks: tasks.map((task) => ({
      description: task.task_id,
      type: 'automation',
      worker: 'command',
      paths: ['src/'],
      ...task,
    })),
    execution: { mode: 'sequential', delegation: { claude_code: false, constraints: [] }, ...execution },
    approval: { required: false, approved_by: 'ada', approved_at: '2026-01-01T00:00:00Z' },
    success_criteria: ['validator_passes', 'no_scope_violation', 'deterministic_execution'],
  };
}
