import { isObject, textAt } from '../../base/json';
import type { ShownEvidence } from '../../contracts/panelView';
import { executionsDir } from '../../contracts/vocabulary/evidenceFiles';

/** Evidence as its header tells of it, before anybody verified it. @param header whatever its text holds */
export function shownEvidence(planId: string, header: unknown): ShownEvidence {
  const outcome = isObject(header) ? (textAt(header, 'final_state') ?? textAt(header, 'status')) : null;
  const dir = `${executionsDir}/${planId}`;
  const verified = { standing: 'unknown', text: 'Not verified yet', dir, findings: [] } as const;
  return { plan_id: planId, dir, outcome: outcome ?? 'unknown', verified };
}
