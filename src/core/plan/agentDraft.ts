import { planIdIn } from '../../base/planId';
import { planContractVersion } from '../../contracts/vocabulary/plan';
import { isObject, type JsonObject } from '../../base/json';
import { planFields } from './fields/planFields';
import type { RevisionFacts } from './revision';
import { isId } from './rules/identity';

export type AgentDraftFacts = Pick<RevisionFacts, 'plan_id' | 'created_at' | 'planner'>;

export interface AgentDraft {
  readonly plan: JsonObject;
  /** JSON pointers of what was left out, because an agent has no say in it. */
  readonly dropped: readonly string[];
}

/** Its identity is ours; no approval, nothing superseded, no task done. The rest is left for `judgePlan`. */
export function agentDraft(answer: JsonObject, { plan_id, created_at, planner }: AgentDraftFacts): AgentDraft {
  const dropped: string[] = [];
  const kept = cleaned(answer, '', dropped) as JsonObject;
  for (const key of ['supersedes', '$schema']) if (key in kept) dropped.push(`/${key}`);
  const { status, approval } = kept;
  if (status !== undefined && status !== 'DRAFT') dropped.push('/status');
  if (approval !== undefined && !isUnapproved(approval)) dropped.push('/approval');
  const { tasks } = kept;
  const parts = Object.fromEntries(
    Object.entries(kept).filter(([key]) => !ownFields.has(key) && !Object.keys(planFields).includes(key)),
  );
  const rest = Object.fromEntries(
    Object.keys(planFields)
      .filter((key) => !ownFields.has(key) && key in kept)
      .map((key) => [key, kept[key]]),
  );
  const plan: JsonObject = {
    contract_version: planContractVersion,
    plan_id,
    goal_id: kept['goal_id'] ?? 'GOAL-1',
    created_at,
    planner,
    status: 'DRAFT',
    ...rest,
    ...(Array.isArray(tasks) && { tasks: tasks.map((task, index) => undone(task, index, dropped)) }),
    approval: { required: true },
    ...parts,
  };
  return { plan, dropped };
}

/** An id for the plan that none has yet: the agent's own where it is one, else words of the goal. */
export function freePlanId(wanted: unknown, goal: string, taken: readonly string[]): string {
  const named = typeof wanted === 'string' ? planIdIn(wanted) : '';
  const base = isId(named) ? named : slugOf(goal);
  const known = new Set(taken.map((id) => id.toLowerCase()));
  const free = (id: string): boolean => !known.has(id.toLowerCase()) && isId(id);
  if (free(base)) return base;
  for (let number = 2; ; number += 1) {
    const id = `${base.slice(0, 70)}-${number}`;
    if (free(id)) return id;
  }
}

/** Fields that are written here, whatever the answer says. */
const ownFields: ReadonlySet<string> = new Set([
  'contract_version',
  'plan_id',
  'goal_id',
  'created_at',
  'planner',
  'status',
  'approval',
  'supersedes',
  '$schema',
]);

function isUnapproved(approval: unknown): boolean {
  return (
    isObject(approval) && Object.keys(approval).every((key) => key === 'required') && approval['required'] !== false
  );
}

/** A task that was carried over counts as done without running. */
function undone(task: unknown, index: number, dropped: string[]): unknown {
  if (!isObject(task) || !('carried_from' in task)) return task;
  dropped.push(`/tasks/${index}/carried_from`);
  return Object.fromEntries(Object.entries(task).filter(([key]) => key !== 'carried_from'));
}

/** Keys that would reach the prototype of an object; a plan has no use for them. */
const forbiddenKeys: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype']);

/** The depth was bounded when the text was read. */
function cleaned(value: unknown, pointer: string, dropped: string[]): unknown {
  if (Array.isArray(value)) return value.map((item, index) => cleaned(item, `${pointer}/${index}`, dropped));
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, member]) => {
      const at = `${pointer}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`;
      if (!forbiddenKeys.has(key)) return [[key, cleaned(member, at, dropped)]];
      dropped.push(at);
      return [];
    }),
  );
}

function slugOf(goal: string): string {
  const words = goal
    .toLowerCase()
    .normalize('NFKD')
    .match(/[a-z0-9]+/g);
  const slug = (words ?? []).slice(0, 5).join('-').slice(0, 40).replace(/-+$/, '');
  return isId(slug) ? slug : 'draft';
}
