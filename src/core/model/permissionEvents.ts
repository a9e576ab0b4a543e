import type { OfAttempt } from './facts';
import type { PermissionFix } from '../../contracts/vocabulary/permission';
import type { AllowedBy, Denied, GrantFacts, LaunchAdjustment } from '../recovery/permission/record';

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
  RecoveryEscalated: OfAttempt &
    Denied & { recovery_id: string; action: PermissionFix | null; why: string; grant?: GrantFacts };
}
