import { attribute, blocks, type AttributionInput } from '../../src/core/observation/attribute';
import type { Change } from '../../src/core/observation/change';

export type AttributionVerdict =
  | { readonly kind: 'clean' }
  | { readonly kind: 'scope_violation'; readonly violations: readonly Change[] }
  | { readonly kind: 'external_change'; readonly changes: readonly Change[] };

/** Attributes changes, and says what they come to. */
export function attributed(input: AttributionInput): {
  readonly changes: readonly Change[];
  readonly verdict: AttributionVerdict;
} {
  const changes = attribute(input);
  const violations = changes.filter((change) => change.violation !== null);
  if (violations.length > 0) return { changes, verdict: { kind: 'scope_violation', violations } };
  const blocking = changes.filter(blocks);
  const verdict =
    blocking.length > 0 ? { kind: 'external_change' as const, changes: blocking } : { kind: 'clean' as const };
  return { changes, verdict };
}
