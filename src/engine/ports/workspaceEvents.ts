import type { ContractCode, RefusalCode } from '../../contracts/vocabulary/codes/codes';
import { memoryStream, type MemoryDomain } from '../../contracts/vocabulary/memory';
import type { SealedApproval } from '../../core/plan/approvalRecord';

/** Streams of the journal that belong to the workspace, not to one mission. */
export const approvalsStream = 'approvals';
export const refusalsStream = 'refusals';

export type WorkspaceEvent =
  | {
      readonly type: 'PlanApproved';
      readonly plan_id: string;
      readonly plan_path: string;
      readonly plan_sha256: string;
      readonly reason: string;
      /** Absent where there was no key. */
      readonly sealed?: SealedApproval;
    }
  /** A command that no mission could journal: of an unknown mission or kind, or an approval not by a human. */
  | {
      readonly type: 'CommandRefused';
      readonly command_id: string;
      readonly mission_id: string;
      readonly command: string;
      readonly code: string;
      readonly reason: string;
    }
  | {
      readonly type: 'HandoffResumeRefused';
      readonly plan_id: string | null;
      readonly mission_id: string | null;
      readonly code: RefusalCode | ContractCode;
      readonly reason: string;
    }
  /**
   * A decision that a person confirmed, journalled before its file is written: the file counts only with this event.
   */
  | {
      readonly type: 'MemoryRecorded';
      readonly number: number;
      readonly domain: MemoryDomain;
      readonly key: string;
      readonly version: number;
      readonly mission_id: string;
      readonly task_id: string;
      readonly attempt: number;
      /** Digest of the file. */
      readonly sha256: string;
    }
  /** A person gave the memory up. Records before this event no longer count, and their files lie elsewhere. */
  | { readonly type: 'MemorySetAside'; readonly reason: string; readonly folder: string }
  | {
      readonly type: 'StartRefused';
      readonly plan_path: string;
      readonly plan_id: string | null;
      readonly plan_sha256: string | null;
      readonly code: RefusalCode;
      readonly reason: string;
      /** Codes and pointers of the findings, at most 100. */
      readonly findings: readonly string[];
    };

export function isMissionStream(stream: string): boolean {
  return stream !== approvalsStream && stream !== refusalsStream && stream !== memoryStream;
}
