/**
 * Hands whole missions to hosts. A claim is the fence: after another host has claimed the mission, every call of the
 * earlier claim answers `lost` and changes nothing.
 */
export interface Fleet {
  /** `known`: a mission with this plan hash waits or runs already. */
  submit(mission: FleetMission): Promise<'queued' | 'known'>;
  /** Claims the most urgent mission whose repository has none under way; null: no such mission waits. */
  claim(): Promise<Claim | null>;
}

export interface FleetMission {
  readonly plan_hash: string;
  /** Higher comes first. */
  readonly priority: number;
  readonly repository: string;
  /** Commit of the repository that the plan starts from. */
  readonly commit: string;
}

/**
 * A host's hold of one mission. `lost` is final: the host launches, exports and pushes nothing more. A database that
 * refuses or does not answer counts as lost, because another host may have the mission by then.
 */
export interface Claim {
  readonly mission: FleetMission;
  /** Names this claim in exports and in refs that are pushed; no other claim ever has it. */
  readonly run_id: string;
  /** Exports of this mission by all its claims, oldest first. */
  exports(): Promise<readonly FleetExport[]>;
  /** Keeps the claim; due before each launch and while one runs. */
  beat(): Promise<Hold>;
  /** Records an export. One of the same name by this mission stays as it was. */
  record(name: string, content: string): Promise<Hold>;
  /** The mission has ended, and no host claims it again. */
  end(): Promise<Hold>;
  /** Another host may claim the mission at once. */
  handBack(): Promise<Hold>;
}

export type Hold = 'held' | 'lost';

export interface FleetExport {
  readonly name: string;
  readonly run_id: string;
  readonly content: string;
}
