import type { Outcome } from '../../base/outcome';
import type { MissionEvent } from '../../core/model/events';
import type { HomePlace } from '../../workers/worker';
import type { Journal } from './journal';

export interface DoctorCheck {
  readonly id: string;
  readonly ok: boolean;
  /** False: its absence limits what Mission Control can do, but breaks nothing. */
  readonly required: boolean;
  readonly detail: string;
  /** What a person can do; empty when nothing needs doing. */
  readonly fix: string;
  /** What --repair does; absent where only a person can help. Never touches evidence or journal. */
  readonly repair?: { readonly explains: string; readonly does: () => Promise<Outcome<null>> };
}

/** The missions of a journal. `under_way`: an attempt has not ended. */
export type ReadMissions = (journal: Journal<MissionEvent>) => Promise<{
  readonly missions: readonly { readonly mission_id: string; readonly under_way: boolean }[];
  readonly unreadable: readonly { readonly mission_id: string; readonly reason: string }[];
}>;

/** A CLI that the doctor starts in a sandbox, to see whether that works. */
export interface SandboxedCli {
  readonly name: string;
  /** Absolute. */
  readonly executable: string;
  readonly home: readonly HomePlace[];
  /** The CLI makes namespaces for a sandbox of its own. */
  readonly namespaces: boolean;
  /** Hosts that it reaches where its network is limited. */
  readonly hosts: readonly string[];
}

/** Checks the machine and workspace folders; leaves nothing behind. */
export interface DoctorPorts {
  /** Checks Node, SQLite, git, this installation, and whether a person stopped everything. */
  machine(): Promise<readonly DoctorCheck[]>;
  /** Says whether workers can be confined here, and starts each CLI inside a sandbox. */
  sandbox(workspaceDir: string | null, clis: readonly SandboxedCli[]): Promise<readonly DoctorCheck[]>;
  /** Checks permissions and state store; in a trusted workspace also runs a real supervisor. */
  workspace(workspaceDir: string, missions: ReadMissions, trusted: boolean): Promise<readonly DoctorCheck[]>;
}
