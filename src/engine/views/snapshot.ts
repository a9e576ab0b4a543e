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
import { noMissions, ofWorkspace, type MissionReader, type ReadMission, type ReadMissions } from './reader';

/** What a snapshot says of itself. */
interface SnapshotHeader {
  readonly workspace: string;
  /** Must rise from snapshot to snapshot of one sender. */
  readonly sequence: number;
  /** ISO-8601 UTC. */
  readonly now: string;
  /** The plan file of a mission as it is now. Absent: it is not read. */
  planNow?(mission: Mission): Promise<PlanRead>;
}

/** A viewer of the workspace: what it says in addition to the journal. */
interface Viewer {
  readonly approvals: Parameters<typeof approvedElsewhere>[0];
  isOwned(): Promise<boolean>;
  /** Null: never, as far as this machine knows. */
  lastStop(): Promise<LastStop | null>;
  /** Says that a claim of a fleet has what is here; null: none has. */
  claimed(): Promise<Refusal | null>;
  /**
   * Returns what the run directory reports about a live launch; null: it cannot be read.
   *
   * @param left the launch, if no owner watches it: then its process is looked for
   */
  live(missionId: string, runDir: string, left: SessionLaunch | null): Promise<LiveFacts | null>;
}

interface OpenViewer {
  readonly node: Viewer;
  readonly reader: Pick<MissionReader, 'read'>;
}

/** Changes nothing, and works in any process. `opened` null: there is no journal. `read`: the missions that it shows. */
export async function missionControlSnapshot(
  opened: OpenViewer | null,
  header: SnapshotHeader,
  ownedHere = false,
): Promise<{ readonly read: ReadMissions; readonly view: MissionControlView }> {
  const owner = opened === null ? 'none' : ownedHere ? 'this' : (await opened.node.isOwned()) ? 'another' : 'none';
  const { read, missions } = opened ? await viewsOf(opened, owner, header) : { read: noMissions, missions: [] };
  const { sequence, now: generated_at, workspace } = header;
  const { unreadable } = read;
  return { read, view: { schema_version: '1.0.0', sequence, generated_at, workspace, owner, missions, unreadable } };
}

async function viewsOf(
  { node, reader }: OpenViewer,
  owner: MissionControlView['owner'],
  header: SnapshotHeader,
): Promise<{ readonly read: ReadMissions; readonly missions: readonly MissionView[] }> {
  const lastStop = await node.lastStop();
  // The host of the claim decides while it is there.
  const claimed = owner === 'none' ? await node.claimed() : null;
  const read = await reader.read();
  const elsewhere = await approvedElsewhere(node.approvals, ofWorkspace(read));
  const views = read.missions.map(async (one): Promise<MissionView> => {
    const { mission, entries, place, foreign } = one;
    // What it runs is on its host.
    const runs = !foreign && place?.state === 'running';
    if (foreign || place) return decidedElsewhere(viewAtRest(mission, entries, runs), one);
    const view = await viewHere(one, node, owner !== 'none', header);
    const missed = missedStop(lastStop, mission, owner);
    const shown = decidedElsewhere(missed === null ? view : { ...view, missed_stop: missed }, { claimed });
    if (!elsewhere.has(mission.mission_id)) return shown;
    return { ...shown, approval: { ...shown.approval, elsewhere: true } };
  });
  return { read, missions: await Promise.all(views) };
}

async function viewHere(
  { mission, entries }: ReadMission,
  node: Viewer,
  owned: boolean,
  { planNow }: Pick<SnapshotHeader, 'planNow'>,
): Promise<MissionView> {
  // Only a live worker, or a session that no owner watches, has facts that the journal lacks.
  if (mission.lanes.length === 0 && (owned || !liveSession(mission))) {
    const view = viewAtRest(mission, entries, owned);
    return planNow && restsOpen(mission) ? withPlanFile(view, mission, await planNow(mission)) : view;
  }
  const live = await liveFactsOf(mission, owned, (runDir, left) => node.live(mission.mission_id, runDir, left));
  return missionView(mission, entries, live, owned);
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
