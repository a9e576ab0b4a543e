import type { Plan } from '../../../contracts/plan';
import { checkedCriteria } from '../../../contracts/vocabulary/plan';
import { listAt, quoted, textsAt } from '../../../base/json';
import { defaultCriteria } from '../fixes/values';
import { meant } from '../fixes/entries';
import { execution } from './execution';
import type { Fields, FieldTable, PlanField } from './field';
import { agents } from './reach';
import { commands, task, type Work } from './task';

export interface Header {
  readonly plan_id: string;
  readonly goal_id: string;
  readonly risk_level: number;
  readonly scope_allowed: readonly string[];
  readonly scope_forbidden: readonly string[];
  /** In the order in which they run; absent: the plan has none. */
  readonly milestones?: readonly { readonly id: string; readonly title: string }[];
  readonly success_criteria: readonly string[];
  readonly supersedes: string | null;
  readonly approved_by: string | null;
  readonly approved_at: string | null;
}

type Milestone = NonNullable<Plan['milestones']>[number];

const first = { stands: 'in the first lines' } as const;
const name = { unsaid: 'names' } as const;
const validates = { stands: 'in the rows of what validates it' } as const;

const risk = {
  level: { as: 'risk_level', ...first },
  notes: { narrows: true, unsaid: 'hints' },
} satisfies Fields<Plan['risk'], Header>;

const scope = {
  allowed: { as: 'scope_allowed', stands: 'in what tasks require' },
  forbidden: { as: 'scope_forbidden', narrows: true, unsaid: 'stops' },
} satisfies Fields<Plan['scope'], Header>;

const validate = {
  mode: validates,
  worker: { opens: agents },
  model: { stands: 'in the row of the model' },
  assertions: { narrows: true, ...validates },
  verify: { opens: commands },
  failure_limit: validates,
} satisfies Fields<Milestone['validate'], Work>;

const milestone = {
  id: { stands: 'in the description of what validates it' },
  title: { narrows: true, stands: 'in the description of what validates it' },
  validate: { parts: validate },
} satisfies Fields<Milestone, Header>;

const approval = { required: name, approved_by: name, approved_at: name, note: name } satisfies Fields<
  Plan['approval'],
  Header
>;

/** All that is made of each field of a plan. A field has one entry, here or in the file of its subject. */
export const planFields = {
  contract_version: name,
  plan_id: first,
  goal_id: { as: 'goal_id', narrows: true, ...first },
  created_at: name,
  planner: { narrows: true, unsaid: 'names' },
  status: name,
  risk: { parts: risk },
  scope: { parts: scope },
  tasks: { each: task },
  execution: { parts: execution },
  approval: { parts: approval },
  success_criteria: {
    as: 'success_criteria',
    narrows: true,
    unsaid: 'stops',
    judge({ plan }, report) {
      if (listAt(plan, 'success_criteria')?.length === 0) {
        const message = `success_criteria is empty, so the mission completes without anything being checked; name some, such as ${checkedCriteria.join(', ')}.`;
        report('CRITERIA_EMPTY', '/success_criteria', message, 'warning');
      }
      for (const [criterion, index] of textsAt(plan, 'success_criteria')) {
        if ((checkedCriteria as readonly string[]).includes(criterion)) continue;
        const message = `${quoted(criterion)} will be reported as not machine-checked; look at it yourself when the mission is done.`;
        report('CRITERION_NOT_CHECKED', `/success_criteria/${index}`, message, 'info');
      }
    },
  },
  supersedes: { stands: 'in what the revision does' },
  milestones: { as: 'milestones', each: milestone },
  $schema: name,
} satisfies Fields<Plan, Header>;

const { execution: how, ...others } = planFields;

/** By place, as `execution.recovery.allow`. An approval shows them in this order: how the tasks run, then the tasks. */
export const allFields = fieldsIn({ execution: how, ...others }, '');

function fieldsIn(table: FieldTable, before: string): readonly (readonly [place: string, field: PlanField<never>])[] {
  return Object.entries(table).flatMap(([name, field]) => [
    [`${before}${name}`, field] as const,
    ...fieldsIn(field.parts ?? field.each ?? {}, `${before}${name}.`),
  ]);
}

export const criteriaFixes = {
  CRITERIA_EMPTY: defaultCriteria,
  CRITERION_NOT_CHECKED: meant(() => checkedCriteria),
} as const;
