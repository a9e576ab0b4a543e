import type { PanelView, FoundHere, LinesView, ShownEntry } from '../../contracts/page/panelView';
import { withDocuments } from '../../core/view/evidence/shownEvidence';
import type { LiveFacts } from '../../core/view/mission/missionView';
import type { Mission } from '../../core/model/state';
import type { EvidenceChecks } from './evidenceChecks';
import { isArchived, shownEntry, type PanelFolder, type PanelItem } from './panelView';

/** The content of a folder's files, apart from its journal. */
export interface FolderFiles {
  readonly plans: readonly {
    /** Digest of its bytes; null: they could not be read. */
    readonly sha256: string | null;
    readonly draft: PanelFolder['drafts'][number];
  }[];
  readonly evidence: PanelFolder['evidence'];
}

/** Lists a plan that a mission has run, or evidence of a known mission, once. */
export function panelFolder(
  folder: Omit<PanelFolder, 'drafts' | 'evidence'>,
  { plans, evidence }: FolderFiles,
): PanelFolder {
  const run = new Set(folder.missions.map(({ mission }) => mission.plan_sha256.toUpperCase()));
  return {
    ...folder,
    drafts: plans.filter(({ sha256 }) => sha256 === null || !run.has(sha256.toUpperCase())).map(({ draft }) => draft),
    evidence: withoutMission(evidence, folder.missions),
  };
}

export function withoutMission<T extends { readonly plan_id: string }>(
  evidence: readonly T[],
  missions: readonly { readonly mission: { readonly plan: { readonly plan_id: string } } }[],
): readonly T[] {
  const known = new Set(missions.map(({ mission }) => mission.plan.plan_id));
  return evidence.filter(({ plan_id }) => !known.has(plan_id));
}

export interface ShownParts {
  readonly plans: FolderFiles['plans'];
  /** False: the folder may have a plan that is not among them. */
  readonly hasAllPlans: boolean;
  readonly checks: EvidenceChecks;
  /** The documents of a plan's evidence. */
  readonly documents: (planId: string) => Promise<readonly unknown[]>;
  readonly live: (mission: Mission) => Promise<ReadonlyMap<string, LiveFacts>>;
  /** Lines that its tasks changed, by task; null: not counted. Absent: the caller does not count them. */
  readonly lines?: (mission: Mission) => ReadonlyMap<string, LinesView> | null;
}

export async function shownInFull(item: PanelItem, parts: ShownParts): Promise<ShownEntry> {
  const { checks, live, lines } = parts;
  if (item.of.kind === 'draft' || item.of.kind === 'unreadable') return shownEntry(item, { live: new Map() });
  if (item.of.kind === 'evidence_only') {
    const evidence = withDocuments(item.of.evidence, await parts.documents(item.of.evidence.plan_id));
    const verified = checks.ofPlan(evidence.plan_id, null, item.entry.at ?? '');
    return { kind: 'evidence_only', id: item.entry.id, evidence: { ...evidence, verified } };
  }
  const { mission } = item.of.read;
  const plan_now = digestNow(mission.plan_path, parts);
  // What a mission of a fleet left is on its host.
  const here = item.of.read.place === undefined;
  const evidence = here ? checks.of(mission, isArchived(item.folder, mission.mission_id)) : undefined;
  const counted = here ? lines?.(mission) : null;
  return shownEntry(item, {
    live: await live(mission),
    ...(plan_now !== undefined && { plan_now }),
    ...(evidence && { evidence }),
    ...(counted && { lines: counted }),
  });
}

/** Null: the file is gone. Undefined: it was not read, so nothing is said of it. */
function digestNow(
  path: string,
  { plans, hasAllPlans }: Pick<ShownParts, 'plans' | 'hasAllPlans'>,
): string | null | undefined {
  const plan = plans.find(({ draft }) => draft.path === path);
  if (plan) return plan.sha256 ?? undefined;
  return hasAllPlans ? null : undefined;
}

/** Null: the item has no plan. */
export function planOfEvidence({ of }: PanelItem): string | null {
  if (of.kind === 'mission') return of.read.mission.plan.plan_id;
  return of.kind === 'evidence_only' ? of.evidence.plan_id : null;
}

export function panelOf(
  items: readonly PanelItem[],
  shown: ShownEntry | null,
  at: string,
  found: FoundHere | null,
): PanelView {
  return {
    schema_version: '1.0.0',
    generated_at: at,
    entries: items.map(({ entry }) => entry),
    shown,
    found: shown === null ? found : null,
  };
}
