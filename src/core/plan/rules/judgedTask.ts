import type { FindingCode } from '../../../contracts/vocabulary/findings';
import type { AddFinding } from '../../documents/addFinding';
import type { JsonObject } from '../../../base/json';

export type AddPlanFinding = AddFinding<FindingCode>;

/** A task of the plan with its index and its pointer, looked up once for all rules. */
export type JudgedTask = readonly [task: JsonObject, index: number, pointer: string];
