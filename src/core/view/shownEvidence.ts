import { isObject, textAt } from '../../base/json';
import type { ShownEvidence } from '../../contracts/panelView';
import { executionsDir } from '../../contracts/vocabulary/evidenceFiles';

/** Evidence as its header describes it, before a check. @param header any JSON value */
export function shownEvidence(planId: string, header: unknown): ShownEvidence {
  const outcome = isObject(header) ? (textAt(header, 'final_state') ?? textAt(header, 'status')) : null;
  const dir = `${executionsDir}/${planId}`;
  const verified = { standing: 'unknown', text: 'Not verified yet', dir, findings: [] } as const;
  return { plan_id: planId, dir, outcome: outcome ?? 'unknown', verified };
}
