import type { CommandAnswer } from '../../core/model/sessionFacts';
import type { Actor } from '../../contracts/vocabulary/actors';
import type { Outcome } from '../../base/outcome';

/** Exclusive ownership of the workspace's missions; the operating system frees it when the owner dies. */
export interface Lease {
  acquire(owner: Actor): Promise<Outcome<{ readonly fence: number }>>;
  release(): Promise<void>;
  /** Says whether any process, including this one, owns now. Does not take ownership. */
  isOwned(): Promise<boolean>;
}

/** A command from another process. `expected_seq` null: for any state. */
export interface InboxCommand {
  readonly id: string;
  readonly mission_id: string;
  readonly command: unknown;
  readonly actor: Actor;
  readonly reason: string;
  readonly expected_seq: number | null;
  /** An ancestor of the sender is a supervisor, so it is no human. */
  readonly from_worker: boolean;
  /** False: the owner could not find the sending process, so the command does not count as a person's. */
  readonly identified: boolean;
  /** When its sender asked for it, which may be long before the owner hears it. ISO-8601; absent: now. */
  readonly asked_at?: string;
}

/** Carries one command to another process that owns the missions. */
export interface OtherOwner {
  /** Says whether another process owns the missions now. */
  isThere(): Promise<boolean>;
  /**
   * 'nobody': not taken in time; it was withdrawn and will never run. 'gone': the owner went away; it was withdrawn or
   * taken back. 'pending': taken and not answered; this owner, or the next one, still decides it.
   */
  send(timeoutMs: number): Promise<CommandAnswer | 'nobody' | 'gone' | 'pending'>;
  /** Takes a command back from an owner that is gone; the next owner gives the same id the same answer. */
  takeBack(): Promise<void>;
}

/** The owner's side of the inbox: delivers each command once, in arrival order, until it is answered. */
export interface Inbox {
  /** Calls back for all present and later commands, until disposed. */
  watch(onCommand: (command: InboxCommand) => void): InboxWatch;
  answer(id: string, answer: CommandAnswer): Promise<void>;
  /** Puts back a delivered command that was not begun, for its sender or the next owner. */
  giveBack(id: string): Promise<void>;
}

export interface InboxWatch {
  /** Takes no more commands. Resolves when those taken have been delivered. */
  dispose(): Promise<void>;
}
