import type { PermissionFix, PermissionIssue } from '../../contracts/vocabulary/permission';
import type { AllowedBy, LaunchAdjustment } from '../recovery/permission/record';

/** Events of permission recovery. */
export type PermissionEvent =
  /** A launch was denied something and left no result; the worker is launched once more, with this adjustment. */
  | ({
      readonly type: 'RecoveryRequested';
      readonly task_id: string;
      readonly attempt: number;
      readonly action: PermissionFix;
      readonly allowed_by: AllowedBy;
      readonly adjustment: LaunchAdjustment;
    } & Denied)
  /** The new process was seen alive. */
  | {
      readonly type: 'RecoverySucceeded';
      readonly task_id: string;
      readonly recovery_id: string;
      readonly launch_id: string;
    }
  /** The new process was not started, or ended before it was seen alive. */
  | {
      readonly type: 'RecoveryFailed';
      readonly task_id: string;
      readonly recovery_id: string;
      readonly launch_id: string | null;
      readonly reason: string;
    }
  /** Only a person can mend it. */
  | ({
      readonly type: 'RecoveryEscalated';
      readonly task_id: string;
      readonly attempt: number;
      readonly recovery_id: string;
      readonly action: PermissionFix | null;
      readonly why: string;
    } & Denied);

/** What a launch was denied. */
export interface Denied {
  readonly denied_launch_id: string;
  readonly issue: PermissionIssue;
  readonly issue_detected: string;
  readonly path: string | null;
  /** Present: only reading was denied. */
  readonly reads?: true;
  readonly retry_count: number;
  /** The worker was ended because it gave no sign of life. */
  readonly stalled: boolean;
}
