import type { Answer } from '../../contracts/taskEvidence';
import { projectFile } from '../../contracts/vocabulary/aiProject';
import type { RestoredEntry } from '../memory/restore';
import { canonicalText } from '../../base/json';
import { answerText } from '../../base/text/words';
import type { ApprovedPlan, PlannedTask } from '../plan/approvedPlan';
import type { InstructionsFile } from '../plan/rules/instructions';
import type { Note } from '../model/state';
import type { LockedIntent } from './tier0';

declare const tier1: unique symbol;

/** What a task is worked on with, as far as its intent allows: only a locked intent makes it. */
export interface Tier1 {
  readonly [tier1]: true;
  readonly intent: LockedIntent;
  /** Null: the intent does not ask for it. An empty memory is an empty list. */
  readonly restore: readonly RestoredEntry[] | null;
  readonly project: { readonly sha256: string; readonly document: unknown } | null;
  readonly scope: ReturnType<typeof scopeOf>;
  readonly answers: readonly Answer[];
  /** Notes for the task that are not in the plan. */
  readonly notes: readonly Note[];
  /** Files of the project that the approved plan has agents follow, as they were when the mission began. */
  readonly instructions: readonly Pick<InstructionsFile, 'path' | 'sha256' | 'text'>[];
  readonly prompt: Pick<PlannedTask, 'description' | 'prompt' | 'acceptance_criteria'>;
}

export function tier1Of(
  intent: LockedIntent,
  plan: ApprovedPlan,
  task: PlannedTask,
  loaded: Pick<Tier1, 'restore' | 'project' | 'answers' | 'notes'> & Partial<Pick<Tier1, 'instructions'>>,
): Tier1 {
  const { description, prompt, acceptance_criteria } = task;
  return {
    intent,
    restore: loaded.restore,
    project: loaded.project,
    answers: loaded.answers,
    notes: loaded.notes,
    instructions: loaded.instructions ?? [],
    scope: scopeOf(plan, task),
    prompt: { description, prompt, acceptance_criteria },
  } as Tier1;
}

/** The layers of a snapshot, the one that counts first where they contradict each other. Source: seed 004. */
const layers = [
  'restore',
  'project',
  'scope',
  'answers',
  'note_of_a_person',
  'prompt',
  'instructions',
  'note_of_the_orchestrator',
] as const;

/** The frozen snapshot as text: the same context gives the same bytes. Ends with a line feed. */
export function snapshotText(tier1: Tier1): string {
  const { intent, restore, project, scope, answers, notes, instructions, prompt } = tier1;
  const given: Readonly<Partial<Record<(typeof layers)[number], unknown>>> = {
    ...(answers.length > 0 && { answers: answers.map(answerLayer) }),
    ...(instructions.length > 0 && { instructions }),
    ...Object.fromEntries(notes.map((note) => [noteLayer(note), { text: note.text, by: note.by.name }])),
  };
  const always = ['restore', 'project', 'scope', 'prompt'];
  return `${canonicalText({
    schema_version: '1.0.0',
    priority: layers.filter((layer) => always.includes(layer) || Object.hasOwn(given, layer)),
    intent: { resolved: intent.intent, declared: intent.declared },
    // Data of earlier tasks: they count before the rest of the project, but give no instructions.
    restore: restore === null ? null : { untrusted: true, entries: restore },
    project: project === null ? null : { path: projectFile, ...project },
    scope,
    ...given,
    prompt,
  })}\n`;
}

function noteLayer({ by }: Note): (typeof layers)[number] {
  return by.kind === 'human' ? 'note_of_a_person' : 'note_of_the_orchestrator';
}

function answerLayer({ question, asked_by, choice, decision, ...given }: Answer) {
  return { question, asked_by: asked_by.kind, choice, answer: answerText(given), answered_by: decision.actor.name };
}

function scopeOf(plan: ApprovedPlan, task: PlannedTask) {
  return {
    plan_id: plan.plan_id,
    task_id: task.task_id,
    paths: task.paths,
    forbidden_paths: task.forbidden_paths,
    allowed: plan.scope_allowed,
    forbidden: plan.scope_forbidden,
    constraints: plan.constraints,
    requires: task.requires,
    writes: task.writes,
  } as const;
}
