import type { MissionEvent } from '../../core/model/events';
import type { Journal } from './journal';

/** One thing that was looked at. */
export interface DoctorCheck {
  readonly id: string;
  readonly ok: boolean;
  /** False: its absence restricts what can be done and breaks nothing. */
  readonly required: boolean;
  readonly detail: string;
  /** What a person can do about it; empty when nothing needs doing. */
  readonly fix: string;
  /** What --repair would do; absent where only a person can help. Never touches evidence or journal. */
  readonly repair?: { readonly explains: string; readonly does: () => Promise<void> };
}

/** What a journal tells of its missions. `under_way`: an attempt has not ended. */
export type ReadMissions = (journal: Journal<MissionEvent>) => Promise<{
  readonly missions: readonly { readonly mission_id: string; readonly under_way: boolean }[];
  readonly unreadable: readonly { readonly mission_id: string; readonly reason: string }[];
}>;

/** Looks at the machine and at workspace folders; leaves nothing behind in them. */
export interface DoctorPorts {
  /** Node, SQLite, git, this installation. */
  machine(): Promise<readonly DoctorCheck[]>;
  /** Permissions, locks, what is in the state store; where it is trusted, also what becomes of a real supervisor. */
  workspace(workspaceDir: string, missions: ReadMissions, trusted: boolean): Promise<readonly DoctorCheck[]>;
}
