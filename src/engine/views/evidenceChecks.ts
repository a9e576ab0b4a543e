import type { EvidenceVerdict } from '../../contracts/panelView';
import { errorWords } from '../../base/errorWords';
import { evidenceDir } from '../../core/evidence/places';
import { evidenceVerdict, unverified, type VerifiedEvidence } from '../../core/view/evidenceVerdict';
import type { Mission } from '../../core/model/state';

/**
 * Runs `mission evidence verify --json` for a plan in a process of its own, because that may take long; returns what it
 * printed.
 */
export type VerifyPlan = (planId: string) => Promise<string>;

/**
 * Verdicts about the evidence of missions that a person looks at: made when a mission is opened, and again when its
 * journal has grown. A view shows without waiting; `changed` reports a new verdict.
 */
export class EvidenceChecks {
  readonly #known = new Map<string, { readonly key: string; readonly verdict: VerifiedEvidence | string | null }>();
  #running: Promise<void> = Promise.resolve();

  constructor(
    private readonly verify: VerifyPlan,
    private readonly changed: () => void,
  ) {}

  /** A person opens it, so the next look verifies its evidence anew. */
  opened(planId: string): void {
    this.#known.delete(planId);
  }

  /** @param archived a later execution of its plan has put its evidence into the archive */
  of(mission: Mission, archived: boolean): EvidenceVerdict | undefined {
    // Until its end is reported, its evidence is still being written.
    if (mission.execution !== 'REPORTED') return undefined;
    const { plan_id } = mission.plan;
    return this.ofPlan(plan_id, archived ? mission.mission_id : null, `${mission.mission_id} ${mission.last_seq}`);
  }

  /** Also takes evidence whose mission no journal here knows. @param key a new key verifies again */
  ofPlan(planId: string, archivedId: string | null, key = ''): EvidenceVerdict {
    const known = this.#known.get(planId);
    if (known?.key !== key) this.#start(planId, key);
    const verdict = this.#known.get(planId)?.verdict ?? null;
    const dir = evidenceDir(planId);
    if (verdict === null) return unverified('Evidence is being verified', dir);
    if (typeof verdict === 'string') return unverified(`Evidence could not be verified: ${verdict}`, dir);
    return evidenceVerdict(verdict, dir, archivedId);
  }

  /** Verifies one plan at a time, because each reads all files of a plan. */
  #start(planId: string, key: string): void {
    this.#known.set(planId, { key, verdict: null });
    this.#running = this.#running.then(async () => {
      const verdict = await this.verify(planId).then(readVerdict, errorWords);
      if (this.#known.get(planId)?.key !== key) return;
      this.#known.set(planId, { key, verdict });
      this.changed();
    });
  }
}

/** Reads what the command printed, or says why it is no verdict. */
export function readVerdict(printed: string): VerifiedEvidence | string {
  try {
    const read = JSON.parse(printed) as { readonly valid?: unknown; readonly findings?: unknown };
    if (typeof read.valid === 'boolean' && Array.isArray(read.findings) && read.findings.every(isFinding))
      return { valid: read.valid, findings: read.findings };
  } catch {
    // The last line of this function returns the printed words instead.
  }
  return printed.trim().split('\n')[0]?.slice(0, 300) ?? '';
}

function isFinding(value: unknown): value is VerifiedEvidence['findings'][number] {
  if (typeof value !== 'object' || value === null) return false;
  const { code, severity, file, message, hint = '', next = '' } = value as Readonly<Record<string, unknown>>;
  return [code, severity, file, message, hint, next].every((member) => typeof member === 'string');
}
