import { recoverable } from './recoverable';
import type { AttemptRecord } from '../../model/attempt';
import type { AttemptFailure } from '../../model/facts';
import type { TaskRow, ReceivedPlan } from '../../model/state';
import { profileNamed, type CapabilityProfile } from '../../policy/policy';
import type { Judged } from '../judge/rules';
import { selectionOf } from './modelSelection';
import { spentTokens } from '../../model/usage';

/** What the attempts of a task have used since a person last decided about a used up profile. */
export interface ProfileUse {
  readonly calls: number;
  readonly retries: number;
  readonly tokens: number;
}

/** @param live the attempt that is not in the row yet */
export function profileUse({ attempts }: Pick<TaskRow, 'attempts'>, live: AttemptRecord): ProfileUse {
  const asked = attempts.findLastIndex(
    ({ failure }) => failure?.kind === 'recoverable' && failure.category === 'profile_limit',
  );
  const counted: readonly AttemptRecord[] = [...attempts.slice(asked + 1), live];
  const launches = counted
    .flatMap((attempt) => attempt.launches)
    .filter(({ purpose, process, end }) => purpose.kind === 'worker' && (process ?? end));
  return {
    calls: launches.length,
    retries: counted.filter(({ validates }) => validates === null).length - 1,
    tokens: launches.reduce((sum, launch) => sum + spentTokens(launch), 0),
  };
}

/** Says why no agent may be launched for the task; null: one may. */
export function launchBeyond(name: string, profile: CapabilityProfile, use: ProfileUse): string | null {
  const { max_calls_per_task, max_retries, max_tokens } = profile;
  if (use.retries > max_retries) return excess(name, `retry ${use.retries}, and ${max_retries} are allowed`);
  if (use.calls >= max_calls_per_task) return excess(name, `${use.calls} of ${max_calls_per_task} launches`);
  return use.tokens >= max_tokens ? excess(name, `${use.tokens} of ${max_tokens} tokens`) : null;
}

export function relaunchBeyond(
  mission: ReceivedPlan,
  row: Pick<TaskRow, 'attempts'>,
  attempt: AttemptRecord,
): string | null {
  const name = selectionOf(attempt)?.capability_profile;
  const profile = name === undefined ? undefined : profileNamed(mission.policy.policy, name);
  return name === undefined || !profile ? null : launchBeyond(name, profile, profileUse(row, attempt));
}

/** The tokens of a launch are known at its end, and judged then. */
export function judgeProfile({ mission, attempt, row }: Judged): AttemptFailure | null {
  const name = selectionOf(attempt)?.capability_profile;
  const profile = name === undefined ? undefined : profileNamed(mission.policy.policy, name);
  if (name === undefined || !profile) return null;
  const { tokens } = profileUse(row, attempt);
  if (tokens <= profile.max_tokens) return null;
  const reason = excess(name, `${tokens} of ${profile.max_tokens} tokens`);
  return recoverable('profile_limit', reason, [], { human_only: 'model_policy' });
}

function excess(name: string, what: string): string {
  return `The task has used up its capability profile ${name}: ${what}.`;
}
