import type { Refusal } from '../../base/outcome';
import type { MissionControlView, MissionView } from '../../contracts/page/missionView';
import { currentLaunch } from '../../core/model/attempt';
import { liveSession, type SessionLaunch } from '../../core/model/session';
import type { Mission, Tasks } from '../../core/model/state';
import type { PlanRead } from '../../core/plan/mismatch';
import { missedStop, type LastStop } from '../../core/view/mission/interrupted';
import { decidedElsewhere } from '../../core/view/mission/decidedElsewhere';
import { missionView, type LiveFacts } from '../../core/view/mission/missionView';
import { restsOpen, withPlanFile } from '../../core/view/plan/planFile';
import { approvedElsewhere } from '../plans/approvals';
import { ofWorkspace, type ReadMission, type ReadMissions } from './reader';

/** What a snapshot needs in addition to the journal. */
export interface SnapshotFacts {
  readonly workspace: string;
  /** Must rise from snapshot to snapshot of one sender. */
  readonly sequence: number;
  /** ISO-8601 UTC. */
  readonly now: string;
  readonly owner: MissionControlView['owner'];
  /** Null: never, as far as this machine knows. */
  readonly lastStop: LastStop | null;
  /** Says that a claim of a fleet has what is here; absent: none has. */
  readonly claimed?: Refusal | null;
  /**
   * Returns what the run directory reports about a live launch; null: it cannot be read.
   *
   * @param left the launch, if no owner watches it: then its process is looked for
   */
  live(missionId: string, runDir: string, left: SessionLaunch | null): Promise<LiveFacts | null>;
  /** Returns the missions that were not approved by this user in this workspace, by id. */
  elsewhere(missions: readonly Mission[]): Promise<ReadonlySet<string>>;
  /** The plan file of a mission as it is now. Absent: it is not read. */
  planNow?(mission: Mission): Promise<PlanRead>;
}

/** Changes nothing, and works in any process. */
export async function missionControlSnapshot(
  { missions, unreadable }: ReadMissions,
  facts: SnapshotFacts,
): Promise<MissionControlView> {
  // The host of the claim decides while it is there.
  const claimed = facts.owner === 'none' ? (facts.claimed ?? null) : null;
  const elsewhere = await facts.elsewhere(ofWorkspace({ missions }));
  const views = missions.map(async (read): Promise<MissionView> => {
    const { mission, entries, place, foreign } = read;
    // What it runs is on its host.
    const runs = !foreign && place?.state === 'running';
    if (foreign || place) return decidedElsewhere(viewAtRest(mission, entries, runs), read);
    const view = await viewHere(read, facts);
    const missed = missedStop(facts.lastStop, mission, facts.owner);
    const shown = decidedElsewhere(missed === null ? view : { ...view, missed_stop: missed }, { claimed });
    if (!elsewhere.has(mission.mission_id)) return shown;
    return { ...shown, approval: { ...shown.approval, elsewhere: true } };
  });
  return {
    schema_version: '1.0.0',
    sequence: facts.sequence,
    generated_at: facts.now,
    workspace: facts.workspace,
    owner: facts.owner,
    missions: await Promise.all(views),
    unreadable,
  };
}

async function viewHere({ mission, entries }: ReadMission, facts: SnapshotFacts): Promise<MissionView> {
  const owned = facts.owner !== 'none';
  // Only a live worker, or a session that no owner watches, has facts that the journal lacks.
  if (mission.lanes.length === 0 && (owned || !liveSession(mission)))
    return withPlanNow(viewAtRest(mission, entries, owned), mission, facts);
  const live = await liveFactsOf(mission, owned, (runDir, left) => facts.live(mission.mission_id, runDir, left));
  return missionView(mission, entries, live, owned);
}

/** The part of a viewer of the workspace that a snapshot asks. */
interface Viewer extends Pick<SnapshotFacts, 'live'> {
  readonly approvals: Parameters<typeof approvedElsewhere>[0];
  isOwned(): Promise<boolean>;
  lastStop(): Promise<LastStop | null>;
  claimed(): Promise<Refusal | null>;
}

/** Finds what a snapshot shows in addition to the journal. Without a journal there is no viewer. */
export async function snapshotFacts(
  viewer: Viewer | null,
  about: Pick<SnapshotFacts, 'workspace' | 'sequence' | 'now' | 'planNow'>,
  ownedHere = false,
): Promise<SnapshotFacts> {
  const owner = ownedHere ? 'this' : (await viewer?.isOwned()) ? 'another' : 'none';
  return {
    ...{ ...about, owner, lastStop: (await viewer?.lastStop()) ?? null },
    claimed: (await viewer?.claimed()) ?? null,
    live: async (missionId, runDir, left) => viewer && viewer.live(missionId, runDir, left),
    elsewhere: async (missions) => (viewer ? approvedElsewhere(viewer.approvals, missions) : new Set()),
  };
}

async function withPlanNow(view: MissionView, mission: Mission, facts: SnapshotFacts): Promise<MissionView> {
  if (!facts.planNow || !restsOpen(mission)) return view;
  return withPlanFile(view, mission, await facts.planNow(mission));
}

/** Makes a view once for each state, because every snapshot shows all missions. Most of them have ended. */
function viewAtRest(mission: Mission, entries: ReadMission['entries'], owned: boolean): MissionView {
  const known = atRest.get(mission);
  if (known?.owned === owned && known.entries === entries) return known.view;
  const view = missionView(mission, entries, new Map(), owned);
  atRest.set(mission, { entries, owned, view });
  return view;
}

const atRest = new WeakMap<
  Mission,
  { readonly entries: ReadMission['entries']; readonly owned: boolean; readonly view: MissionView }
>();

/**
 * Returns what run directories report about running workers, and about an orchestrator's session that no owner watches,
 * by launch id.
 *
 * @param owned an owner watches them
 */
export async function liveFactsOf(
  mission: Tasks,
  owned: boolean,
  read: (runDir: string, left: SessionLaunch | null) => Promise<LiveFacts | null>,
): Promise<ReadonlyMap<string, LiveFacts>> {
  const live = new Map<string, LiveFacts>();
  const launches: readonly (SessionLaunch | undefined)[] = mission.lanes.map(currentLaunch);
  for (const launch of owned ? launches : [...launches, liveSession(mission)?.launch]) {
    const seen = launch ? await read(launch.run_dir, owned ? null : launch) : null;
    if (launch && seen) live.set(launch.launch_id, seen);
  }
  return live;
}
