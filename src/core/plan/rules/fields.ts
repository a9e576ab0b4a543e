import { planFieldNames, planFields } from '../../../contracts/vocabulary/plan';
import { objectAt, objectsAt, quoted, type JsonObject } from '../../../base/json';
import { pointerToken } from '../../../base/jsonPointer';
import type { JudgedTask, AddPlanFinding } from './judgedTask';
import { nearest } from '../../../base/text/nearest';

type Kind = keyof typeof planFields;
const known: ReadonlyMap<string, ReadonlySet<string>> = new Map(
  Object.entries(planFields).map(([kind, fields]) => [kind, new Set(Object.keys(fields))]),
);
const none: ReadonlySet<string> = new Set();
/** Finding the nearest field takes time, so it is done for the first unknown fields only. */
const suggestionsWanted = 50;

/** Warns about fields that are in no contract; `x_` marks deliberate extensions. */
export function judgeFields(plan: JsonObject, tasks: readonly JudgedTask[], report: AddPlanFinding): void {
  let unknown = 0;
  const judge = (object: JsonObject | null, kind: Kind, pointer: string): void => {
    if (object === null) return;
    const fields = known.get(kind) ?? none;
    // `Object.prototype` has no enumerable properties.
    for (const key in object) {
      if (fields.has(key) || key.startsWith('x_')) continue;
      unknown += 1;
      const near = unknown <= suggestionsWanted ? nearest(key, planFieldNames(kind)) : null;
      report(
        'FIELD_UNKNOWN',
        `${pointer}/${pointerToken(key)}`,
        near === null
          ? `${quoted(key)} is in no contract and is ignored; remove it, or start its name with x_ to keep it.`
          : `${quoted(key)} is in no contract and is ignored; did you mean ${quoted(near)}?`,
        'warning',
      );
    }
  };
  judge(plan, 'plan', '');
  judge(objectAt(plan, 'risk'), 'risk', '/risk');
  judge(objectAt(plan, 'scope'), 'scope', '/scope');
  for (const [task, , pointer] of tasks) {
    judge(task, 'task', pointer);
    judge(objectAt(task, 'carried_from'), 'carriedFrom', `${pointer}/carried_from`);
  }
  const execution = objectAt(plan, 'execution');
  judge(execution, 'execution', '/execution');
  judge(objectAt(execution, 'budget'), 'budget', '/execution/budget');
  judge(objectAt(execution, 'recovery'), 'recovery', '/execution/recovery');
  judge(objectAt(execution, 'limits'), 'limits', '/execution/limits');
  judge(objectAt(execution, 'delegation'), 'delegation', '/execution/delegation');
  judge(objectAt(plan, 'approval'), 'approval', '/approval');
  for (const [milestone, index] of objectsAt(plan, 'milestones')) {
    judge(milestone, 'milestone', `/milestones/${index}`);
    judge(objectAt(milestone, 'validate'), 'milestoneValidate', `/milestones/${index}/validate`);
  }
}
