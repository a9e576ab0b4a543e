import type { Actor } from '../../contracts/vocabulary/actors';
import type { Outcome } from '../../base/outcome';

/** Exclusive ownership of the workspace's missions; freed by the operating system when the owner dies. */
export interface Lease {
  acquire(owner: Actor): Promise<Outcome<{ readonly fence: number }>>;
  release(): Promise<void>;
  /** Whether somebody (this process included) owns now, without taking it. */
  held(): Promise<boolean>;
}

/** A command from another process. `expected_seq` null means: whatever the state is now. */
export interface InboxCommand {
  readonly id: string;
  readonly mission_id: string;
  readonly command: unknown;
  readonly actor: Actor;
  readonly reason: string;
  readonly expected_seq: number | null;
  /** True when an ancestor process of the sender is a supervisor: then it is no human. */
  readonly from_worker: boolean;
  /** False when the owner could not find the process that sent it: then nobody can say that it was a human. */
  readonly identified: boolean;
}

export interface InboxAnswer {
  readonly accepted: boolean;
  readonly code: string;
  readonly reason: string;
  readonly next: readonly string[];
}

/** The way of one command to the owner of the missions, where that is another process. */
export interface OtherOwner {
  /** Whether another process owns the missions now. */
  isThere(): Promise<boolean>;
  /**
   * 'nobody': not taken in time; it was withdrawn and is never carried out. 'gone': the owner went away meanwhile, and
   * it was taken back. 'pending': taken and not answered; this owner, or the next one, still does it.
   */
  send(timeoutMs: number): Promise<InboxAnswer | 'nobody' | 'gone' | 'pending'>;
  /** Takes back what an owner took that has gone; the same id gets the same decision from the next one. */
  takeBack(): Promise<void>;
}

/** Owner's side of the inbox: each command is delivered once, in arrival order, until answered. */
export interface Inbox {
  /** Calls back for every command present now and every later one, until disposed. */
  watch(onCommand: (command: InboxCommand) => void): InboxWatch;
  answer(id: string, answer: InboxAnswer): Promise<void>;
  /** Puts a command back that was delivered and that nobody has begun to decide: for its sender, or the next owner. */
  giveBack(id: string): Promise<void>;
}

export interface InboxWatch {
  /** Nothing more is taken. Resolves when all that was taken has been delivered. */
  dispose(): Promise<void>;
}
