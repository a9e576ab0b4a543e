import type { MilestoneMode } from '../../contracts/vocabulary/plan';

/** `M1 The first half, accepted (scrutiny, 1 of at most 5 validations failed)`. */
export function milestoneHead({
  id,
  title,
  state,
  mode,
  failures,
  limit,
}: {
  readonly id: string;
  readonly title: string;
  readonly state: string;
  readonly mode: MilestoneMode | null;
  readonly failures: number;
  readonly limit: number | null;
}): string {
  const how = mode === null ? 'not validated' : mode;
  const failed = limit === null ? '' : `, ${failures} of at most ${limit} validations failed`;
  return `${id} ${title}, ${state} (${how}${failed})`;
}
