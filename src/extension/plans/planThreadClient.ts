import { knownJsonText } from '../../adapters/documents/json';
import { planFiles } from '../../adapters/documents/planFiles';
import { errorWords } from '../../base/outcome';
import { ThreadCaller, type Called } from '../../adapters/system/threads';
import type { JudgedText, PlanCheckOptions, PlanFiles, PlanText } from '../../engine/ports/plans';
import type { JudgedFile, PlanService } from './thread';

/** On this thread a plan of 10 MB would block the extension host for many frames. */
export class PlanWork {
  readonly #thread: ThreadCaller<null, PlanService>;
  readonly findings: Called<PlanService>['findings'];
  readonly asksRecovery: Called<PlanService>['asksRecovery'];
  readonly approval: Called<PlanService>['approval'];

  /** `script`: the built planThread.js. */
  constructor(
    script: string,
    private readonly onProblem: (problem: string) => void,
  ) {
    this.#thread = new ThreadCaller({ script, name: 'mission-plans', data: null });
    ({ findings: this.findings, asksRecovery: this.asksRecovery, approval: this.approval } = this.#thread.calls);
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
      const judged = await this.#thread.calls.check(path, options);
      return { text: textOf(judged), findings: judged.findings };
    } catch (error) {
      // The caller then judges the plan on its own thread.
      this.onProblem(`The thread that judges plans has failed: ${errorWords(error)}`);
      return null;
    }
  }
}

function textOf({ bytes, sha256, has_value, text_findings }: JudgedFile): PlanText {
  if (bytes !== null && sha256 !== null) return knownJsonText(bytes, { sha256, has_value, findings: text_findings });
  const locate: PlanText['locate'] = (findings) => findings;
  return { sha256: null, canonical_sha256: null, bytes: null, value: undefined, findings: text_findings, locate };
}
