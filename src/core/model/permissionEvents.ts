import type { OfAttempt } from './facts';
import type { PermissionFix, PermissionIssue } from '../../contracts/vocabulary/permission';
import type { AllowedBy, LaunchAdjustment } from '../recovery/permission/record';

/** Events of permission recovery. */
export interface PermissionEvents {
  /** A launch was denied something and left no result; the worker is launched once more, with this adjustment. */
  RecoveryRequested: OfAttempt &
    Denied & {
      action: PermissionFix;
      allowed_by: AllowedBy;
      adjustment: LaunchAdjustment;
    };
  /** The new process was seen alive. */
  RecoverySucceeded: { task_id: string; recovery_id: string; launch_id: string };
  /** The new process was not started, or ended before it was seen alive. */
  RecoveryFailed: { task_id: string; recovery_id: string; launch_id: string | null; reason: string };
  /** Only a person can mend it. */
  RecoveryEscalated: OfAttempt & Denied & { recovery_id: string; action: PermissionFix | null; why: string };
}

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
