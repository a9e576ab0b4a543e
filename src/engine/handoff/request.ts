import { commandLine } from '../../base/text/oneLine';
import { decisionStep } from '../../base/text/steps';
import type { RunRequest } from '../mission/startRequirements';

export interface ResumeRequest extends RunRequest {
  /** Absolute path of the handoff folder. */
  readonly folder: string;
  /** Null without a reason; then the run continues only if its owner gave it away. */
  readonly reason: string | null;
  /** Takes missing outputs from the handoff's diff. */
  readonly apply_diff: boolean;
}

/** The step that writes from the handoff what is missing here. */
export function applyDiffStep({ folder }: ResumeRequest): string {
  return decisionStep('handoff resume', commandLine([folder]).toString(), '--apply-diff');
}
