import type { FindingCode } from '../../../contracts/vocabulary/codes/findings';
import type { AddFinding } from '../../documents/finding';
import { objectsAt, type JsonObject } from '../../../base/json';

export type AddPlanFinding = AddFinding<FindingCode>;

/** A task of the plan with its index and its pointer, looked up once for all rules. */
export type JudgedTask = readonly [task: JsonObject, index: number, pointer: string];

export function judgedTasksOf(plan: JsonObject): readonly JudgedTask[] {
  return objectsAt(plan, 'tasks').map(([task, index]) => [task, index, `/tasks/${index}`]);
}
