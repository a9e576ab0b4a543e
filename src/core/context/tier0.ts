import {
  type ExecutionEnvironment,
  type Intent,
  type Tier,
  memoryIntents,
  projectIntents,
} from '../../contracts/vocabulary/intents';
import type { WorkerName } from '../../contracts/vocabulary/workers';
import type { Attempt } from '../model/attempt';
import type { ApprovedPlan, PlannedTask } from '../plan/approvedPlan';

declare const tier0: unique symbol;

/** What the driver has before phase 1: nothing of the project, and no function that loads of it takes it. */
export interface Tier0 {
  readonly [tier0]: true;
  readonly prompt: Pick<PlannedTask, 'description' | 'prompt'>;
  readonly declared: {
    readonly worker: WorkerName;
    readonly intent: Intent | null;
    readonly tier: Tier | null;
    readonly environment: ExecutionEnvironment | null;
  };
}

export function tier0Of({ environment }: Pick<ApprovedPlan, 'environment'>, task: PlannedTask): Tier0 {
  const { description, prompt, worker, tier } = task;
  return {
    prompt: { description, prompt },
    declared: { worker, intent: declaredIntent(task), tier, environment },
  } as Tier0;
}

declare const locked: unique symbol;

/** The intent that phase 1 resolved. A caller that loads something of the project has to show it. */
export interface LockedIntent {
  readonly [locked]: true;
  /** Null: no model is invoked. */
  readonly intent: Intent | null;
  /** The declared intent; null: none, because an inferred one asks for nothing of the project. */
  readonly declared: Intent | null;
}

/** @throws before phase 1 has passed: the bootstrap invariant, and the owner halts. Source: seed 004. */
export function lockedIntent(
  { phases, task_id }: Pick<Attempt, 'phases' | 'task_id'>,
  task: PlannedTask,
): LockedIntent {
  if (!hasLockedIntent({ phases }))
    throw new Error(
      `Broken invariant: something of the project is asked for before the intent of task ${task_id} is resolved.`,
    );
  const intent = task.worker === 'command' ? null : (task.intent ?? 'code_generation');
  return { intent, declared: declaredIntent(task) } as LockedIntent;
}

export function hasLockedIntent({ phases }: Pick<Attempt, 'phases'>): boolean {
  return phases.some(({ phase, outcome }) => phase === 1 && outcome === 'PASS');
}

/** Null: the plan declares none, or no model is invoked. */
export function declaredIntent({ worker, intent, intent_from }: PlannedTask): Intent | null {
  return worker !== 'command' && intent_from === 'declared' ? intent : null;
}

/** What a declared intent asks for before its task is delegated. Source: decision 64. */
interface ContextNeeds {
  /** ai.project.json has to be there and valid. */
  readonly project: boolean;
  /** What was decided before is read (RESTORE). */
  readonly restore: boolean;
  /** Phase 2a runs: ai.project.json comes into being, and is never required. */
  readonly bootstrap: boolean;
}

export function needsOf({ declared }: Pick<LockedIntent, 'declared'>): ContextNeeds {
  return {
    project: isOneOf(projectIntents, declared),
    restore: isOneOf(memoryIntents, declared),
    bootstrap: declared === 'generate_context',
  };
}

function isOneOf(intents: readonly Intent[], intent: Intent | null): boolean {
  return intent !== null && intents.includes(intent);
}
