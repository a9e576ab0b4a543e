import type { EvidenceVerdict } from '../../contracts/page/panelView';
import { isObject, listAt, parsedJson, valueAt } from '../../base/json';
import { errorWords } from '../../base/outcome';
import { evidenceDir } from '../../core/evidence/places';
import { evidenceVerdict, unverified, type VerifiedEvidence } from '../../core/view/evidence/evidenceAnswer';
import type { Mission } from '../../core/model/state';

/** Returns what `mission evidence verify --json` prints. It runs in a process of its own, because it may take long. */
export type VerifyPlan = (planId: string) => Promise<string>;

/** One check of a plan's evidence. Only the last check of a plan counts, because a file may change during another. */
interface Check {
  readonly key: string;
  /** Null: its answer has not arrived. A text: why there is no verdict. */
  verdict: VerifiedEvidence | string | null;
}

/** Verifies when a mission is opened, a person asks, the journal grows or a file changes. A view never waits. */
export class EvidenceChecks {
  readonly #last = new Map<string, Check>();
  #running: Promise<void> = Promise.resolve();

  constructor(
    private readonly verify: VerifyPlan,
    private readonly changed: () => void,
  ) {}

  /** The next look verifies its evidence anew. */
  opened(planId: string): void {
    this.#last.delete(planId);
  }

  /** No view shows the verdict from before. */
  written(planId: string): void {
    if (this.#last.delete(planId)) this.changed();
  }

  /** Resolves with what was printed; views of this evidence show the same answer. */
  async asked(planId: string): Promise<string> {
    const shown = this.#last.get(planId);
    const printed = this.verify(planId);
    // Without a check no view shows this evidence, and the first look verifies it.
    if (!shown) return printed;
    const check = this.#begin(planId, shown.key);
    this.changed();
    await this.#end(planId, check, printed);
    return printed;
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
    if (this.#last.get(planId)?.key !== key) this.#start(planId, key);
    const verdict = this.#last.get(planId)?.verdict ?? null;
    const dir = evidenceDir(planId);
    if (verdict === null) return unverified('Evidence is being verified', dir);
    if (typeof verdict === 'string') return unverified(`Evidence could not be verified: ${verdict}`, dir);
    return evidenceVerdict(verdict, dir, archivedId);
  }

  /** Verifies one plan at a time, because each reads all files of a plan. */
  #start(planId: string, key: string): void {
    const check = this.#begin(planId, key);
    this.#running = this.#running.then(() =>
      this.#last.get(planId) === check ? this.#end(planId, check, this.verify(planId)) : undefined,
    );
  }

  #begin(planId: string, key: string): Check {
    const check: Check = { key, verdict: null };
    this.#last.set(planId, check);
    return check;
  }

  /** Drops the answer where a later check began or a file changed meanwhile. */
  async #end(planId: string, check: Check, printed: Promise<string>): Promise<void> {
    const verdict = await printed.then(readVerdict, errorWords);
    if (this.#last.get(planId) !== check) return;
    check.verdict = verdict;
    this.changed();
  }
}

/** A text: why it is no verdict. */
export function readVerdict(printed: string): VerifiedEvidence | string {
  const read = parsedJson(printed);
  const [valid, findings] = [valueAt(read, 'valid'), listAt(read, 'findings')];
  if (typeof valid === 'boolean' && findings?.every(isFinding)) return { valid, findings };
  return printed.trim().split('\n')[0]?.slice(0, 300) ?? '';
}

function isFinding(value: unknown): value is VerifiedEvidence['findings'][number] {
  if (!isObject(value)) return false;
  const { code, severity, file, message, hint = '', next = '' } = value;
  return [code, severity, file, message, hint, next].every((member) => typeof member === 'string');
}
