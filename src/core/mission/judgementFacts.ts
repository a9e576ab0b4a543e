import { notMachineChecked } from '../../contracts/vocabulary/execution';
import type { AttemptFacts } from '../evidence/facts';
import type { AttemptRecord } from '../model/attempt';

/**
 * The steps and checks of an attempt as its phases recorded them. Where an intervention repeated the verification, the
 * later one counts.
 *
 * @param asksModel false: what only concerns models is not named
 */
export function judgementFacts(
  { phases }: Pick<AttemptRecord, 'phases'>,
  asksModel: boolean,
): Pick<AttemptFacts, 'verification' | 'checks'> {
  const steps = phases.findLast((phase) => phase.steps)?.steps;
  const results = [...new Map(phases.flatMap(({ checks }) => (checks ? [[checks.point, checks]] : []))).values()];
  if (!steps && results.length === 0) return {};
  const checks = results.flatMap(({ point, passed, failed }) => [
    ...passed.map((name) => ({ point, name, outcome: 'PASS' as const })),
    ...(failed ? [{ point, ...failed }] : []),
    ...(asksModel ? notMachineChecked : [])
      .filter((one) => one.point === point)
      .map((one) => ({ ...one, outcome: 'not_machine_checked' as const })),
  ]);
  return {
    ...(steps && {
      verification: steps.map(({ recorded, ...step }) => ({ ...step, ...(recorded && { recorded: [...recorded] }) })),
    }),
    ...(checks.length > 0 && { checks }),
  };
}

/** The result that a person completed, or was asked to, and how the worker had left it. */
export function interventionFacts({
  intervention,
}: Pick<AttemptRecord, 'intervention'>): Pick<AttemptFacts, 'intervention'> {
  if (!intervention) return {};
  const { requested_at, missing, claimed, decision } = intervention;
  return {
    intervention: {
      requested_at,
      missing: [...missing],
      packet: claimed.kind === 'valid' ? claimed.result : null,
      completed_by: decision && {
        kind: decision.actor.kind,
        name: decision.actor.name,
        reason: decision.reason,
        at: decision.at,
      },
    },
  };
}
