import type { ProcessIdentity } from '../../contracts/launch';
import type { ExternalSave } from '../../core/observation/change';
import type { EnginePorts } from './engine';
import type { JournalledLaunch } from './launches';

/** The ports that drafting a plan needs: those of a launch, and what is known about drafts of the workspace. */
export type DraftPorts = Pick<
  EnginePorts,
  | 'clock'
  | 'timers'
  | 'ids'
  | 'plans'
  | 'workspace'
  | 'launches'
  | 'workers'
  | 'sandboxes'
  | 'folders'
  | 'paths'
  | 'project'
  | 'evidence'
  | 'startsHeld'
  | 'savesReported'
> & { readonly drafts: DraftPlaces };

/** A launch that drafts a plan; its own ticket names it, because no journal does. */
export interface DraftLaunch {
  readonly draft_id: string;
  readonly run_dir: string;
  readonly known: JournalledLaunch;
}

export interface DraftPlaces {
  /** Says whether another worker than that of this draft runs here, or has run since that time (ISO-8601). */
  othersAtWork(draftId: string, since: string | null): Promise<boolean>;
  /** This process. The agent of a draft ends with it. Null: the system does not identify it. */
  owner(): Promise<ProcessIdentity | null>;
  /** Records that this process makes a draft, so that its leftovers can be found. */
  recordDraft(draftId: string): Promise<void>;
  forgetDraft(draftId: string): Promise<void>;
  planIds(): Promise<readonly string[]>;
  /** A regular file of the workspace, never through a link; `path`: POSIX, relative to the root. */
  read(path: string, limit: number): Promise<GivenFile>;
  /** A text without secrets, as it may be written. */
  readonly redact: (text: string) => string;
}

/** `reason`: the clause that says why it cannot be given to an agent. */
export type GivenFile =
  | { readonly ok: true; readonly text: string; readonly bytes: number }
  | { readonly ok: false; readonly reason: string };

/** A person's wish to end a draft that is being made. */
export interface Canceling {
  requested(): boolean;
  onRequest(listener: () => void): { dispose(): void };
}

/** Saves of a person in this editor since the draft began. */
export type SavesSince = () => readonly ExternalSave[];
