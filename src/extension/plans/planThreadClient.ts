import { knownJsonText } from '../../adapters/documents/json';
import { planFiles } from '../../adapters/documents/planFiles';
import { ThreadCaller } from '../../adapters/system/threads';
import type { ApprovalDecision } from '../../core/plan/approve';
import type { JudgedText, PlanCheckOptions, PlanFiles, PlanText } from '../../engine/ports/plans';
import type { MachineConfinement } from '../../core/plan/approvalSummary';
import type { JudgedFile, PlanAnswers, PlanCall } from './thread';

/**
 * Judges, approves and edits plans in a worker thread. Otherwise a plan of 10 MB would block the
 * extension host for many frames.
 */
export class PlanWork {
  readonly #thread: ThreadCaller<null, PlanCall, PlanAnswers[PlanCall['kind']]>;

  /** `script`: the built planThread.js. */
  constructor(
    script: string,
    private readonly onProblem: (problem: string) => void,
  ) {
    this.#thread = new ThreadCaller({ script, name: 'mission-plans', data: null });
  }

  /** Findings of the text; without a text, of the file. */
  findings(path: string, text: string | null, options: PlanCheckOptions): Promise<PlanAnswers['findings']> {
    return this.#ask({ kind: 'findings', path, text, options });
  }

  asksRecovery(path: string): Promise<boolean> {
    return this.#ask({ kind: 'asksRecovery', path });
  }

  approval(
    path: string,
    approval: { readonly decision: ApprovalDecision; readonly machine: MachineConfinement },
    options: PlanCheckOptions,
  ): Promise<PlanAnswers['approval']> {
    return this.#ask({ kind: 'approval', path, options, ...approval });
  }

  /** Reads plan files; `checkPlan` on them runs in the thread. */
  files(): PlanFiles {
    return { ...planFiles, checkOnThread: (path, options) => this.#checkOnThread(path, options) };
  }

  close(): Promise<void> {
    return this.#thread.close();
  }

  async #checkOnThread(path: string, options: PlanCheckOptions): Promise<JudgedText | null> {
    try {
      const judged = await this.#ask({ kind: 'check', path, options });
      return { text: textOf(judged), findings: judged.findings };
    } catch (error) {
      // The caller then judges the plan on its own thread.
      this.onProblem(`The thread that judges plans has failed: ${String(error)}`);
      return null;
    }
  }

  async #ask<K extends PlanCall['kind']>(call: PlanCall & { readonly kind: K }): Promise<PlanAnswers[K]> {
    return (await this.#thread.call(call)) as PlanAnswers[K];
  }
}

function textOf({ bytes, sha256, has_value, text_findings }: JudgedFile): PlanText {
  if (bytes !== null && sha256 !== null) return knownJsonText(bytes, { sha256, has_value, findings: text_findings });
  const locate: PlanText['locate'] = (findings) => findings;
  return { sha256: null, canonical_sha256: null, bytes: null, value: undefined, findings: text_findings, locate };
}
