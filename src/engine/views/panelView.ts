import { utcText } from '../../base/text/amounts';
import {
  panelGroups,
  type PanelEntry,
  type PanelGroup,
  type ShownDraft,
  type ShownEntry,
  type ShownEvidence,
} from '../../contracts/page/panelView';
import type { MissionControlView, MissionView } from '../../contracts/page/missionView';
import { sha256 } from '../../base/sha256';
import { errorCount } from '../../base/text/amounts';
import { missionEntry } from '../../core/view/panelEntry';
import { shownMission, type ShownMissionFacts } from '../../core/view/evidence/shownMission';
import type { ReadMission, ReadMissions } from './reader';

export interface PanelFolder extends ReadMissions {
  /** Distinguishes folders of one name: the absolute path or URI. */
  readonly key: string;
  /** Display name. */
  readonly workspace: string;
  readonly owner: MissionControlView['owner'];
  /** Its missions as their snapshot shows them, by the same read; a window says in them what it is about to do. */
  readonly views: readonly MissionView[];
  readonly drafts: readonly (ShownDraft & {
    /** When the file was written, ISO-8601; null: unknown. */
    readonly at: string | null;
  })[];
  readonly evidence: readonly (ShownEvidence & { readonly at: string | null })[];
}

/** A line of the list, with the thing that it is about. */
export interface PanelItem {
  readonly entry: PanelEntry;
  readonly folder: PanelFolder;
  readonly of:
    | { readonly kind: 'mission'; readonly read: ReadMission; readonly view: MissionView }
    | { readonly kind: 'draft'; readonly draft: ShownDraft }
    | { readonly kind: 'evidence_only'; readonly evidence: ShownEvidence }
    | { readonly kind: 'unreadable'; readonly mission_id: string; readonly reason: string };
}

/**
 * Everything that folders have to show, by group, newest first; missions of one plan show when they began.
 *
 * @param timeText words of a time (ISO-8601) for the person who looks
 */
export function panelItems(
  folders: readonly PanelFolder[],
  timeText: (at: string) => string = utcText,
): readonly PanelItem[] {
  const items = folders.flatMap((folder) => itemsOf(folder, folders.length > 1 ? folder.workspace : null));
  const places = new Map<PanelGroup, number>(panelGroups.map((group, index) => [group, index]));
  const rank = ({ entry }: PanelItem): number => places.get(entry.group) ?? 0;
  return withTimes(items, timeText).sort(
    (left, right) => rank(left) - rank(right) || newestFirst(left.entry.at, right.entry.at),
  );
}

/**
 * The item to show. It stays, because a person who decided about a mission or watches it has to see what becomes of it;
 * other missions call by their count. Begins with the first mission that needs a person, runs or is newest. A person
 * chooses a plan, or evidence without a mission.
 *
 * @param before id of the item that a person chose or that was shown last; null: none
 */
export function shownItem(items: readonly PanelItem[], before: string | null): PanelItem | null {
  const named = items.find(({ entry }) => entry.id === before);
  return named ?? items.find(({ entry }) => !chosenOnly.has(entry.group)) ?? null;
}

const chosenOnly: ReadonlySet<PanelGroup> = new Set(['drafts', 'evidence_only']);

/** `facts` are needed for a mission only. */
export function shownEntry({ entry: { id, title }, folder, of }: PanelItem, facts: ShownMissionFacts): ShownEntry {
  switch (of.kind) {
    case 'mission': {
      const { workspace } = folder;
      const { place } = of.read;
      const owner = place ? (place.state === 'running' ? 'another' : 'none') : folder.owner;
      return { kind: 'mission', id, mission: shownMission({ workspace, owner, ...of.read, view: of.view, ...facts }) };
    }
    case 'draft':
      return { kind: 'draft', id, draft: of.draft };
    case 'evidence_only':
      return { kind: 'evidence_only', id, evidence: of.evidence };
    case 'unreadable':
      return { kind: 'unreadable', id, title, reason: of.reason };
  }
}

export function isArchived({ missions }: Pick<PanelFolder, 'missions'>, missionId: string): boolean {
  return missions.some(({ mission }) => mission.archived?.mission_id === missionId);
}

/** The id of an item in messages of the page. */
function entryId(folder: Pick<PanelFolder, 'key'>, kind: PanelItem['of']['kind'], name: string): string {
  const id = `${kind} ${name} ${folder.key}`;
  return id.length <= longestId ? id : `${kind} ${sha256(id)}`;
}

/** The longest ids that `contracts/page/pageMessage.ts` takes. */
const longestId = 300;

function itemsOf(folder: PanelFolder, workspace: string | null): readonly PanelItem[] {
  const views = new Map(folder.views.map((view) => [view.mission_id, view]));
  const item = (of: PanelItem['of'], name: string, line: Omit<PanelEntry, 'id' | 'workspace'>): PanelItem => ({
    entry: { id: entryId(folder, of.kind, name), workspace, ...line },
    folder,
    of,
  });
  return [
    ...folder.missions.flatMap((read) => {
      const view = views.get(read.mission.mission_id);
      return view ? item({ kind: 'mission', read, view }, view.mission_id, missionEntry(view)) : [];
    }),
    ...folder.drafts.map(({ at, ...draft }) =>
      item({ kind: 'draft', draft }, draft.path, { ...draftEntry(draft), at }),
    ),
    ...folder.evidence.map(({ at, ...evidence }) =>
      item({ kind: 'evidence_only', evidence }, evidence.plan_id, { ...evidenceEntry(evidence), at }),
    ),
    ...folder.unreadable.map(({ mission_id, reason }) =>
      item({ kind: 'unreadable', mission_id, reason }, mission_id, unreadableEntry(mission_id, reason)),
    ),
  ];
}

type Line = Omit<PanelEntry, 'id' | 'workspace' | 'at'>;

function draftEntry({ plan_id, status, tasks, findings }: ShownDraft): Line {
  const errors = findings.filter(({ severity }) => severity === 'error').length;
  const count = `${tasks.length} task${tasks.length === 1 ? '' : 's'}`;
  return {
    ...{ group: 'drafts', title: plan_id, word: status === 'APPROVED' ? 'approved' : 'draft' },
    note: errors > 0 ? `${errorCount(errors)} to correct, ${count}` : count,
    progress: { done: 0, total: tasks.length },
  };
}

function evidenceEntry({ plan_id, outcome, verified }: ShownEvidence): Line {
  const note = `evidence in the repository, ${verified.text.slice(0, 1).toLowerCase()}${verified.text.slice(1)}`;
  return { group: 'evidence_only', title: plan_id, word: outcome.toLowerCase(), note, progress: null };
}

function unreadableEntry(title: string, reason: string): Omit<PanelEntry, 'id' | 'workspace'> {
  return { group: 'unreadable', title, word: 'unreadable', note: reason.slice(0, 240), progress: null, at: null };
}

/** Adds the start time to missions of one plan in one folder, because they look the same without it. */
function withTimes(items: readonly PanelItem[], timeText: (at: string) => string): PanelItem[] {
  const key = ({ entry, folder }: PanelItem): string => `${entry.title}\0${folder.key}`;
  const counts = new Map<string, number>();
  for (const item of items) if (item.of.kind === 'mission') counts.set(key(item), (counts.get(key(item)) ?? 0) + 1);
  return items.map((item) => {
    const { entry, of } = item;
    if (of.kind !== 'mission' || entry.at === null || (counts.get(key(item)) ?? 0) < 2) return item;
    return { ...item, entry: { ...entry, note: `Started ${timeText(entry.at)}. ${entry.note}` } };
  });
}

function newestFirst(left: string | null, right: string | null): number {
  return (left ?? '') < (right ?? '') ? 1 : (left ?? '') > (right ?? '') ? -1 : 0;
}
