import type { OfAttempt } from '../../core/model/facts';
import type { Variants } from '../../base/variants';
import type { ContractCode, RefusalCode } from '../../contracts/vocabulary/codes/codes';
import { memoryStream, type MemoryDomain } from '../../contracts/vocabulary/memory';
import type { SealedApproval } from '../../core/plan/approvalRecord';

/** Streams of the journal that belong to the workspace, not to one mission. */
export const approvalsStream = 'approvals';
export const refusalsStream = 'refusals';

export type WorkspaceEvent = Variants<
  'type',
  {
    PlanApproved: {
      plan_id: string;
      plan_path: string;
      plan_sha256: string;
      reason: string;
      /** Absent where there was no key. */
      sealed?: SealedApproval;
    };
    /** A command that no mission could journal: of an unknown mission or kind, or an approval not by a human. */
    CommandRefused: { command_id: string; mission_id: string; command: string; code: string; reason: string };
    HandoffResumeRefused: {
      plan_id: string | null;
      mission_id: string | null;
      code: RefusalCode | ContractCode;
      reason: string;
    };
    /** A person confirmed it. Journalled before its file is written: the file counts only with this event. */
    MemoryRecorded: OfAttempt & {
      number: number;
      domain: MemoryDomain;
      key: string;
      version: number;
      mission_id: string;
      sha256: string;
    };
    /** A person gave the memory up. Records before this event no longer count, and their files lie elsewhere. */
    MemorySetAside: { reason: string; folder: string };
    StartRefused: {
      plan_path: string;
      plan_id: string | null;
      plan_sha256: string | null;
      code: RefusalCode;
      reason: string;
      /** Codes and pointers of the findings, at most 100. */
      findings: readonly string[];
    };
  }
>;

export function isMissionStream(stream: string): boolean {
  return stream !== approvalsStream && stream !== refusalsStream && stream !== memoryStream;
}
