import { shippedPolicy } from '../../src/core/policy/shipped';
import type { EnvelopeEvents } from '../../src/core/model/envelopeEvents';

/** What a mission is given on a machine where a person configured nothing, and held nothing back. */
export const plainlyEquipped = {
  plan_canonical_sha256: 'E'.repeat(64),
  approval_source: 'file',
  approved_here: null,
  confinement: 'off',
  agent_network: 'open',
  policy: { policy: shippedPolicy, sha256: 'D'.repeat(64), sources: [{ kind: 'shipped', path: null }] },
  instructions: null,
  orchestrator: null,
  earlier: [],
} as const satisfies Partial<EnvelopeEvents['MissionReceived']>;

/** The same as the report of an engine, of a run that begins here. */
export const plainlyReceived = { ...plainlyEquipped, warnings: [], handoff: null, carried: [] } as const;
