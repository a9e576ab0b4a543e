import type { CarriedOver, Grant } from '../../../contracts/launchEvidence';
import type { HumanDecision } from '../../../contracts/record/header';
import type { PermissionFix, PermissionIssue } from '../../../contracts/vocabulary/permission';
import { opensWriting, type Widening } from './widening';

/** What a grant of a denied place would open, as far as that is not the place itself. */
export interface GrantFacts {
  /** The folder that it opens, because the place is not there yet. Absent: the place itself. */
  readonly opens?: string;
  /** Why it would be refused, as a sentence. Absent: it would not. */
  readonly ungranted?: string;
}

export interface Detected {
  readonly issue: PermissionIssue;
  /** The words of the CLI that gave it away. */
  readonly issue_detected: string;
  /** What was denied, as the CLI named it; null: it named nothing. */
  readonly path: string | null;
  /** Present: only reading was denied. */
  readonly reads?: true;
  /** The retries of this task and issue, over all paths, since a person decided about the task; with this one. */
  readonly retry_count: number;
}

export interface Denied extends Detected {
  readonly denied_launch_id: string;
  /** The worker was ended because it gave no sign of life. */
  readonly stalled: boolean;
}

/** One reaction to a denial in an attempt: another launch, or an escalation to a person. */
export interface Recovery extends Denied {
  /** `rec_<number>`, unique in the mission. */
  readonly recovery_id: string;
  readonly at: string;
  /** Null: nothing that the runner could do. */
  readonly action: PermissionFix | null;
  /** Null when it was escalated at once. */
  readonly relaunch: Relaunch | null;
  readonly status: 'pending' | 'success' | 'failed' | 'escalated';
  /** Why it failed or was escalated; null otherwise. */
  readonly why: string | null;
  /** What a grant would open. Absent: what was denied, and nothing was asked. */
  readonly grant?: GrantFacts;
}

export function isGivenUp({ status }: Pick<Recovery, 'status'>): boolean {
  return status === 'escalated' || status === 'failed';
}

export interface Relaunch {
  /** What in the approved plan, or which decision of a person, allows the change. */
  readonly allowed_by: AllowedBy;
  readonly launch_id: string | null;
}

/** `clause`: the place in the approved plan. */
export type AllowedBy =
  | { readonly kind: 'plan'; readonly clause: string }
  | { readonly kind: 'grant'; readonly decision: HumanDecision };

/** How a launch differs from the least-privileged first one. */
export interface LaunchAdjustment {
  readonly widening: Widening;
  /** Set when the launch is a reaction to a denial. */
  readonly recovery_id: string | null;
  /** The CLI's own session to go on with. */
  readonly resume_session_id: string | null;
  /** Where the owner's permission bits are added before the launch; absolute, or relative to the workspace. */
  readonly fix_permissions: string | null;
  readonly carried_over: readonly CarriedOver[];
  readonly granted: readonly Grant[];
}

export interface OpenedPlaces {
  readonly granted: readonly string[];
  readonly readable: readonly string[];
}

/**
 * Returns what a launch was given beyond its task. Its CLI takes directories alone; the sandbox opens no more of one
 * than was granted.
 */
export function openedBy({ widening, granted }: Pick<LaunchAdjustment, 'widening' | 'granted'>): OpenedPlaces {
  const exact = granted.filter(({ permission, reads, file }) => permission === 'add_directory' && (reads ?? file));
  const placesOf = (grants: readonly Grant[]): readonly string[] =>
    grants.map(({ directory, file }) => file ?? directory);
  return {
    granted: [
      ...widening.add_directories.filter(
        (one) => opensWriting(widening, one) && !exact.some(({ directory }) => directory === one),
      ),
      ...placesOf(exact.filter(({ reads }) => !reads)),
    ],
    readable: [...(widening.read_only ?? []), ...placesOf(exact.filter(({ reads }) => reads))],
  };
}

/** What permissions keep a worker from. `chmod_tried`: a chmod was called, and it did not help. */
export interface Unusable {
  /** Absolute, or as the CLI named it. */
  readonly directory: string;
  readonly chmod_tried: boolean;
}
