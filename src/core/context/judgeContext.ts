import { projectFile } from '../../contracts/vocabulary/aiProject';
import type { ContractCode } from '../../contracts/vocabulary/codes/codes';
import { errorLines, type Finding } from '../documents/finding';
import type { Attempt } from '../model/attempt';
import type { AttemptFailure } from '../model/facts';

/** ai.project.json as it was read after phase 1. */
export type ProjectReading =
  | { readonly kind: 'absent' }
  | { readonly kind: 'unreadable'; readonly reason: string }
  | {
      readonly kind: 'read';
      readonly sha256: string;
      readonly text: string;
      readonly document: unknown;
      readonly findings: readonly Finding[];
    };

export interface ContextRefusal {
  readonly code: ContractCode;
  readonly reason: string;
  readonly details: readonly string[];
  /** ai.project.json is needed and not there; absent: something else is wrong. */
  readonly no_project?: true;
}

export function judgeReading(intent: string, reading: ProjectReading): ContextRefusal | null {
  const needed = `A task of the intent ${intent} needs ${projectFile}`;
  switch (reading.kind) {
    case 'absent':
      return {
        code: 'MISSING_REQUIRED_INPUT',
        reason: `${needed}, and it is missing.`,
        details: [],
        no_project: true,
      };
    case 'unreadable':
      return {
        code: 'MISSING_REQUIRED_INPUT',
        reason: `${needed}, and it cannot be read (${reading.reason}).`,
        details: [],
      };
    case 'read': {
      const errors = errorLines(reading.findings, 10);
      if (errors.length === 0) return null;
      return {
        code: 'SCHEMA_INVALID',
        reason: `${needed}, and it is not valid.`,
        details: [
          ...errors,
          `mission check ai-project ${projectFile} finds each place; mend them, then retry the task`,
        ],
      };
    }
  }
}

export function judgeFrozen({ attempt }: { readonly attempt: Attempt }): AttemptFailure | null {
  const { context, project_at_end: found } = attempt;
  if (!found || !context?.project_sha256 || context.project_sha256 === found.sha256) return null;
  if (found.sha256 === null)
    return {
      ...failure('MISSING_REQUIRED_INPUT', `${projectFile}, which the task was given, is gone or cannot be read.`, [
        'Put it back as it was, then retry the task.',
      ]),
      outcome: 'ASK_USER',
    };
  const reason = `${projectFile} changed while the task was worked on, so its result rests on what no longer holds.`;
  return failure('NON_COMPLIANT', reason, []);
}

export function judgeMade({ attempt }: { readonly attempt: Attempt }): AttemptFailure | null {
  const { project_at_end: found } = attempt;
  if (!found || found.problems.length === 0) return null;
  const reason = `${projectFile} is not valid yet; fill in what is missing, then validate again.`;
  return failure('SCHEMA_INVALID', reason, found.problems);
}

function failure(
  code: ContractCode,
  reason: string,
  details: readonly string[],
): Extract<AttemptFailure, { kind: 'recoverable' }> {
  return { kind: 'recoverable', category: 'project_context', code, reason, details, human_only: null };
}
