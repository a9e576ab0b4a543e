import { parallelLimits, resourceLimits, timeLimits } from '../../../contracts/vocabulary/plan';
import { dropField } from './entries';
import { setsValue, type Mended, type PlanFix } from './planFix';

/** Within the range of the time limit, or its default. */
export function clampTime(mended: Mended): readonly PlanFix[] {
  return [...clamped(mended, timeLimits), ...dropField(mended)];
}

/** Within the range of the limit. The default may let a launch use more, so it is not offered. */
export function clampLimit(mended: Mended): readonly PlanFix[] {
  return clamped(mended, resourceLimits);
}

/** Within the range, or away where it has no effect. */
export function clampLanes(mended: Mended): readonly PlanFix[] {
  return [...clamped(mended, { max_parallel: parallelLimits }), ...dropField(mended)];
}

type Limits = Readonly<Record<string, { readonly min: number; readonly max: number }>>;

function clamped({ path, value }: Mended, limits: Limits): readonly PlanFix[] {
  const limit = limits[String(path.at(-1))];
  if (typeof value !== 'number' || limit === undefined) return [];
  const near = Math.min(limit.max, Math.max(limit.min, Math.round(value)));
  return near === value ? [] : [setsValue(`Change to ${near}`, path, near)];
}
