import type { AttemptView, EventLine, MissionControlView, MissionView, TaskView } from './missionView';
import type { ExecutionState } from '../vocabulary/execution';

/** What the page shows, whole: each mission as a line, one in full. Texts may hold anything a worker wrote. */
export interface PanelView {
  readonly schema_version: '1.0.0';
  /** Time of the snapshot, ISO-8601: the page counts on from here. */
  readonly generated_at: string;
  /** In the order in which they are shown: by group, newest first. */
  readonly entries: readonly PanelEntry[];
  /** The mission in full: the one that was selected, else the first that needs a person, runs, or is newest. */
  readonly shown: ShownEntry | null;
  /** What an empty page offers. */
  readonly found: FoundHere | null;
}

export const panelGroups = [
  'needs_you',
  'running',
  'paused',
  'planned',
  'drafts',
  'finished',
  'evidence_only',
  'unreadable',
] as const;
export type PanelGroup = (typeof panelGroups)[number];

export interface PanelEntry {
  /** Names it in messages of the page, and in no other place. */
  readonly id: string;
  readonly group: PanelGroup;
  readonly title: string;
  /** Only where the window has several folders. */
  readonly workspace: string | null;
  /** One word or two: `blocked`, `running`, `draft`. */
  readonly word: string;
  /** One line: what is happening or why nothing is. */
  readonly note: string;
  /** Tasks done, of how many; null where that is unknown. */
  readonly progress: { readonly done: number; readonly total: number } | null;
  /** ISO-8601: when it began, or its file was written. */
  readonly at: string | null;
}

export type ShownEntry =
  | { readonly kind: 'mission'; readonly id: string; readonly mission: ShownMission }
  | { readonly kind: 'draft'; readonly id: string; readonly draft: ShownDraft }
  | { readonly kind: 'evidence_only'; readonly id: string; readonly evidence: ShownEvidence }
  | { readonly kind: 'unreadable'; readonly id: string; readonly title: string; readonly reason: string };

/** A plan of the workspace that no mission has run in its present bytes. */
export interface ShownDraft {
  readonly plan_id: string;
  /** Relative to the workspace folder. */
  readonly path: string;
  /** The status that its document names: `DRAFT`, `APPROVED` or another word. */
  readonly status: string;
  readonly goal: string;
  readonly tasks: readonly { readonly task_id: string; readonly description: string; readonly worker: string }[];
  readonly findings: readonly {
    readonly code: string;
    readonly message: string;
    readonly severity: 'error' | 'warning' | 'info';
  }[];
}

/** What lies on the disk of a mission that this machine's journal does not hold. */
export interface ShownEvidence {
  readonly plan_id: string;
  readonly dir: string;
  readonly outcome: string;
  readonly verified: EvidenceVerdict;
  readonly packets: readonly FoundPacket[];
  /** What there is, and what is missing, a sentence each. */
  readonly says: readonly string[];
  /** What the evidence says of each task; who worked and what changed is read where it is shown in full. */
  readonly tasks: ShownDraft['tasks'];
  /** What people decided, oldest first; empty: nothing, or the evidence is not shown in full. */
  readonly decisions: readonly string[];
  /** What brings it back; empty: nothing has to. */
  readonly next: readonly string[];
}

/** A recovery packet by its file, because no journal says what became of it. */
export interface FoundPacket {
  readonly packet_id: string;
  readonly task_id: string;
  readonly reason: string;
  /** POSIX, relative to the workspace root. */
  readonly path: string;
}

export interface ShownMission extends Pick<MissionControlView, 'workspace' | 'owner'> {
  /** Its last events are asked for by range. */
  readonly view: Omit<MissionView, 'events' | 'tasks'> & { readonly tasks: readonly PanelTask[] };
  /** The commands of the palette for its next steps, as a sentence names them; absent: none. */
  readonly palette?: string;
  readonly times: MissionTimes;
  /** By task, in the order of `view.tasks`. */
  readonly rows: readonly TaskRowView[];
  readonly envelope: readonly EnvelopeStep[];
  readonly trust: TrustLine;
  /** Who holds what, and since when; empty: no lock is held. */
  readonly locks: readonly LockLine[];
  /** Newest last, at most 12; the rest by range. */
  readonly last_events: readonly EventLine[];
  readonly event_count: number;
}

/** A task without what `facts` say in words: the page takes five hundred of them with every snapshot. */
export interface PanelTask extends Omit<TaskView, 'last_attempt' | 'metadata' | 'intent'> {
  /** What its last attempt used; absent: no agent reported any. */
  readonly usage?: AttemptView['usage'];
}

export interface MissionTimes {
  /** ISO-8601; the time axis begins here. */
  readonly from: string;
  /** Null: it goes on, and the axis ends now. */
  readonly until: string | null;
  /** The limit that its plan or settings set, and what is used of it; null: none. */
  readonly budget: { readonly used: string; readonly limit: string; readonly reached: boolean } | null;
}

export interface TaskRowView {
  readonly task_id: string;
  /** Its unfinished predecessors; empty: it waits for none. */
  readonly waits_for: readonly string[];
  /** Oldest first; they do not overlap. */
  readonly spans: readonly Span[];
  /** Null: nothing was found yet. */
  readonly in_scope: { readonly ok: boolean; readonly outside: number } | null;
  /** What its worker said it changed, against what was found; null: nothing to compare. */
  readonly claim: ClaimView | null;
  /** The lines of what it changed, once it was counted; absent: not counted yet. */
  readonly lines?: LinesView;
}

export interface LinesView {
  readonly added: number;
  readonly removed: number;
  /** Files whose lines are not known. */
  readonly unknown: number;
}

export type SpanKind = 'baseline' | 'worker' | 'verify' | 'relaunch' | 'wait' | 'block';

export interface Span {
  readonly kind: SpanKind;
  readonly attempt: number;
  /** ISO-8601. */
  readonly from: string;
  /** Null: it goes on. */
  readonly to: string | null;
  readonly outcome: 'running' | 'passed' | 'failed' | 'stopped' | 'unknown';
  /** One sentence: the bar's tooltip and its name for a screen reader. */
  readonly text: string;
}

export interface ClaimView {
  readonly same: boolean;
  /** `same`, `also says docs/api.md, not found`, `does not say src/a.ts`. */
  readonly text: string;
  readonly claimed: readonly string[];
}

export interface EnvelopeStep {
  readonly state: ExecutionState;
  /** `ended`: a person ended the mission there. */
  readonly standing: 'done' | 'now' | 'broken' | 'ended' | 'todo';
  /** `3 lanes`, `blocked`; empty: nothing to say. */
  readonly note: string;
}

/** Facts that only Mission Control can show, each with its own standing. */
export interface TrustLine {
  readonly approved: TrustFact;
  readonly plan: TrustFact;
  readonly confinement: TrustFact;
  readonly evidence: EvidenceVerdict;
}

export interface TrustFact {
  readonly standing: 'good' | 'plain' | 'bad' | 'unknown';
  /** Short: all facts stand in one line. */
  readonly text: string;
  /** The same in full; absent: the text says all. */
  readonly whole?: string;
  /** ISO-8601: when that was, which the page shows in the person's own time; absent: the text says all. */
  readonly at?: string;
}

export interface EvidenceVerdict extends TrustFact {
  /** Relative to the workspace folder; null: none was written. */
  readonly dir: string | null;
  /** What does not hold; at most 20. */
  readonly findings: readonly string[];
}

export interface LockLine {
  readonly what: string;
  readonly holder: string;
  readonly since: string | null;
  readonly heartbeat_at: string | null;
}

/** The agent CLIs and the confinement of this machine, as the doctor found them; null: not looked yet. */
export interface FoundHere {
  readonly text: string;
}
