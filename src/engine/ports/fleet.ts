import type { FleetOutcome } from '../../contracts/fleet';
import type { FleetPlace, SealedText } from '../../contracts/fleetMirror';
import type { Outcome } from '../../base/outcome';

/** A claim is the fence: after another host has one, every call of the earlier is `lost` and changes nothing. */
export interface Fleet {
  /** `known`: a mission with this plan hash waits or runs already; the id is then its own. */
  submit(mission: FleetMission): Promise<{ readonly kind: 'queued' | 'known'; readonly id: string }>;
  /** The most urgent mission with no other needs, whose repository has none under way; null: none waits. */
  claim(labels: ReadonlySet<string>): Promise<Claim | null>;
  /** Missions that wait, run, or ended some days ago at most; oldest first. */
  list(): Promise<readonly FleetEntry[]>;
  /** Missions that wait or run. */
  open(): Promise<readonly Pick<FleetEntry, 'id' | 'state'>[]>;
  /** Exports of a mission without their content, oldest first. */
  exported(id: string): Promise<readonly Omit<FleetExport, 'content'>[]>;
  /** Words of hosts about a mission after a place (0: all), in their order; at most some of them. */
  heard(id: string, place: number): Promise<readonly FleetMessage[]>;
  /** Sends a decision to the host of a mission, or to its next one. */
  send(id: string, decision: SealedText): Promise<void>;
  /** Says for the next minute what a host has. */
  announce(host_id: string, host: SealedText): Promise<void>;
  /** Returns the words of hosts in the last minute. Any user of the database could have written them. */
  hosts(): Promise<readonly string[]>;
  /** True: the mission has ended or was canceled, and no later claim had it. So no host goes on with it. */
  isOver(run_id: string): Promise<boolean>;
  /** No host claims it again, and the one that has it loses its claim. False: it is unknown, or has ended. */
  cancel(id: string): Promise<boolean>;
}

export interface FleetMission {
  /** The UUID of its row: the order names it, so a copy in another row is refused. */
  readonly id: string;
  readonly plan_hash: string;
  /** Higher comes first. */
  readonly priority: number;
  readonly repository: string;
  /** Sorted, each once. */
  readonly needs: readonly string[];
  readonly order: SealedText;
}

/** A mission as the database has it. Any user with its password could have made all of it. */
export interface FleetEntry {
  readonly id: string;
  readonly order: unknown;
  readonly state: 'waiting' | 'running' | 'ended' | 'canceled' | 'failed';
  readonly priority: number;
  /** How often a host has claimed it. */
  readonly claims: number;
  /** ISO-8601. */
  readonly submitted_at: string;
  readonly outcome: unknown;
}

/**
 * A host's hold of one mission. `lost` is final: the host launches, exports and pushes nothing more. A database that
 * refuses or does not answer counts as lost, because another host may have the mission by then.
 */
export interface Claim {
  readonly id: string;
  /** The order in the database: any user with its password could have made it. */
  readonly order: unknown;
  /** What the queue of the row asks of its host. An id is in each queue once. */
  readonly needs: readonly string[];
  /** Names this claim in exports and in refs that are pushed; no other claim ever has it. */
  readonly run_id: string;
  /** Exports of this mission by all its claims, oldest first. @throws where the database does not answer */
  exports(): Promise<readonly FleetExport[]>;
  /** Keeps the claim; due before each launch and while one runs. */
  beat(): Promise<Hold>;
  /** Records an export. One of the same name by this mission stays as it was. */
  record(name: string, content: string): Promise<Hold>;
  /** Says a word to those who watch the mission. */
  tell(words: SealedText): Promise<Hold>;
  /** Decisions about this mission that no call has returned before. @throws where the database does not answer */
  decisions(): Promise<readonly string[]>;
  /** The mission has ended, and no host claims it again. */
  end(outcome: SealedText | FleetOutcome): Promise<Hold>;
  /** Another host may claim the mission at once. */
  handBack(): Promise<Hold>;
}

export type Hold = 'held' | 'lost';

/** What the folder of a mission holds, as one commit. */
export interface PushedWork {
  /** A name of a branch that the repository does not have, because it names the claim. */
  readonly branch: string;
  /** The evidence, relative to the folder with `/`. It is pushed also where git ignores it. */
  readonly evidence: string;
  readonly message: string;
  readonly author: string;
  /** Asks whether the claim is still held, right before the push. */
  readonly held: () => Promise<boolean>;
}

/** A sealed text, by whichever user of the database. */
export interface FleetMessage {
  readonly place: number;
  /** The claim that said it. */
  readonly run_id: string;
  readonly content: string;
}

export interface FleetExport {
  /** SHA-256 of the content; an export of another name counts for nothing. */
  readonly name: string;
  readonly run_id: string;
  readonly content: string;
}

/** What became of orders on this machine, whatever the database says. */
export interface OrderStates {
  /** `recorded`: an attempt may have begun, so the order has an export. Null: nothing of it has begun here. */
  stateOf(order_id: string): Promise<Outcome<'recorded' | 'ended' | null>>;
  /** Never rejects. */
  keep(order_id: string, state: 'recorded' | 'ended'): Promise<void>;
}

/** Seals of this user and of people whose SSH keys this user listed. */
export interface FleetSeals {
  seal(about: Sealed, text: string): Promise<Outcome<SealedText>>;
  /** Null: the seal does not hold, or a key made it that does not count. */
  open(about: Sealed, value: unknown): Promise<Outcome<Opened | null>>;
}

/** What a seal stands for. One of an export holds for its order alone, and the others for one row of the queue. */
export type Sealed =
  | { readonly kind: 'order' }
  | { readonly kind: 'host' }
  | { readonly kind: 'export'; readonly order_id: string }
  | { readonly kind: 'outcome' | 'words' | 'decision'; readonly mission: string };

export interface Opened {
  readonly text: string;
  /** Who signed, as the list calls the key; null: it is a seal by the key of this user. */
  readonly signer: string | null;
}

/** What a workspace keeps of missions that hosts run, for all that look at the workspace. */
export interface Mirror {
  placeOf(missionId: string): FleetPlace | undefined;
  /** Adds lines of an export of its journal. Refused: they do not follow what is there. */
  add(place: Omit<FleetPlace, 'bytes' | 'end_hash'>, lines: readonly string[]): Promise<Outcome<null>>;
  mark(job: string, state: FleetPlace['state']): Promise<void>;
}
