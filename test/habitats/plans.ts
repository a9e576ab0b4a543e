import path from 'node:path';
import type { Habitat } from './habitat';
import { gateOf } from './planFile';

/**
 * Drafts of every scenario's plan, as a person has written them before `mission` comes in: id and text. `confined`:
 * they require a sandbox.
 */
export function plansOf(
  made: Habitat,
  outside: string,
  confined = false,
): readonly (readonly [id: string, text: string])[] {
  const execution = confined ? { ...made.execution, confinement: 'required' } : made.execution;
  const habitat = execution === undefined ? made : { ...made, execution };
  const gate = (id: string): string => gateOf(outside, id);
  return [
    plan(habitat, 'sample', habitat.project ? ['mend', habitat.project.module] : (habitat.sample ?? ['write'])),
    plan(habitat, 'violation', ['stray']),
    plan(habitat, 'block', ['write'], ['mended', gate('block')]),
    plan(habitat, 'hook', ['hook']),
    plan(habitat, 'cancel', ['wait', gate('cancel')]),
    plan(habitat, 'kill', ['wait', gate('kill')]),
    plan(habitat, 'handoff', ['write'], ['mended', gate('handoff')]),
    ...(habitat.more?.includes('disk full') ? [plan(habitat, 'full', ['wait', gate('full')])] : []),
  ];
}

/** A draft with one task, T1, that writes docs/out/<id>.txt. */
function plan(
  habitat: Habitat,
  id: string,
  work: readonly string[],
  judge: readonly string[] = ['check'],
): readonly [id: string, text: string] {
  const argv = ([what = '', ...more]: readonly string[]): readonly string[] => [
    ...['node', 'tools/work.mjs', what, id],
    ...more,
  ];
  const project = id === 'sample' ? habitat.project : undefined;
  const draft = {
    contract_version: 'S2-B-05.v1',
    plan_id: id,
    goal_id: 'GOAL-1',
    created_at: '2026-01-01T00:00:00Z',
    planner: 'tests',
    status: 'DRAFT',
    risk: { level: 1, notes: 'Writes one file.' },
    scope: { allowed: ['docs_update'], forbidden: [] },
    tasks: [
      {
        task_id: 'T1',
        description: `Write docs/out/${id}.txt.`,
        type: 'automation',
        paths: ['docs/out/', ...(project ? [`${path.posix.dirname(project.module)}/`] : [])],
        worker: 'command',
        command: argv(work),
        verify: [argv(judge), ...(project ? [project.test] : [])],
        heartbeat_interval_seconds: 5,
      },
    ],
    execution: { mode: 'sequential', ...habitat.execution },
    approval: { required: true },
    success_criteria: ['validator_passes', 'no_scope_violation'],
  };
  return [id, `${JSON.stringify(draft, null, 2)}\n`];
}
