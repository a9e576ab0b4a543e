import { loadSqlite } from '../../../adapters/journal/sqlite';
import { openNodeViewer, type NodeViewer } from '../../../adapters/nodeViewer';
import { readMissionPaths } from '../../../adapters/state/missionPaths';
import { fileStep } from '../../../base/text/steps';
import { missionWord } from '../../../base/text/words';
import type { MissionControlView } from '../../../contracts/page/missionView';
import type { Finding } from '../../../core/documents/finding';
import { lockedOtherwise } from '../../../engine/mission/lockedOtherwise';
import { approvedOtherBytes } from '../../../engine/plans/approvals';
import type { PlanCheck } from '../../../engine/plans/check';
import { workspaceOf } from '../../../engine/plans/disk';
import { MissionReader } from '../../../engine/views/reader';
import { snapshotOf } from '../../owner/session';

/**
 * Warns of valid plans that no mission of their workspace runs. Either a mission locked other bytes under the id, or a
 * person approved other bytes. Opens each workspace once, and reads its missions once.
 */
export class RefusedBytes {
  readonly #known = new Map<string, Promise<Known | null>>();

  constructor(private readonly open: typeof openNodeViewer = openNodeViewer) {}

  /** Empty also where no journal can be read, as in a clone, because a start asks again. Never rejects. */
  async warnings({ plan, plan_sha256, text }: PlanCheck, path: string): Promise<readonly Finding[]> {
    const workspace = workspaceOf(path);
    if (plan === null || plan_sha256 === null || workspace === null || !loadSqlite().ok) return [];
    const asked = { plan_id: plan.plan_id, plan_sha256, other_forms: text.other_forms ?? [] };
    try {
      const known = await this.#knownOf(workspace);
      if (known === null) return [];
      // An approval helps none of these bytes while a mission holds their id.
      const found = (await lockedBytes(asked, known)) ?? (await approvedBytes(asked, known.viewer, workspace, path));
      return found === null ? [] : text.locate([found]);
    } catch {
      return [];
    }
  }

  async close(): Promise<void> {
    for (const known of this.#known.values()) await (await known.catch(() => null))?.viewer.close();
  }

  #knownOf(workspace: string): Promise<Known | null> {
    const known = this.#known.get(workspace) ?? this.#read(workspace);
    this.#known.set(workspace, known);
    return known;
  }

  async #read(workspaceDir: string): Promise<Known | null> {
    const viewer = await this.open({ workspaceDir, journal: { kind: 'in_process' } });
    if (!viewer.ok || viewer.value === null) return null;
    const missions = new MissionReader(viewer.value.journal);
    let view: Promise<MissionControlView> | null = null;
    return {
      viewer: viewer.value,
      missions,
      view: () => (view ??= snapshotOf(viewer.value, workspaceDir, missions)),
    };
  }
}

/** The missions of one workspace. */
interface Known {
  readonly viewer: NodeViewer;
  readonly missions: MissionReader;
  /** Returns how they stand. Looks for processes, so a warning alone asks for it. */
  view(): Promise<MissionControlView>;
}

interface Asked {
  readonly plan_id: string;
  readonly plan_sha256: string;
  /** Digests of the plan with other line ends or byte-order mark. */
  readonly other_forms: readonly string[];
}

async function lockedBytes(asked: Asked, known: Known): Promise<Finding | null> {
  const { missions } = await known.missions.read();
  const locked = lockedOtherwise(
    asked,
    missions.map(({ mission }) => mission),
  );
  if (locked === null) return null;
  const { mission_id, refusal } = locked;
  const view = (await known.view()).missions.find((one) => one.mission_id === mission_id);
  const state = view ? missionWord(view) : 'unknown';
  const steps = refusal.next.map((step) => step.replace(/\.?$/, '.')).join(' ');
  const message = `${refusal.reason} That mission is ${state}, and no mission runs these bytes. ${steps}`;
  return { code: 'LOCKED_OTHERWISE', severity: 'warning', pointer: '/plan_id', message };
}

async function approvedBytes(
  asked: Asked,
  { records }: NodeViewer,
  workspace: string,
  path: string,
): Promise<Finding | null> {
  const plan_path = (await readMissionPaths(workspace)).relative(path) ?? path;
  const why = await approvedOtherBytes(records, { ...asked, plan_path });
  if (why === null) return null;
  const message = `${why} A mission refuses these bytes: approve them (${fileStep('plan approve', plan_path, '--by NAME')}), or put the approved bytes back.`;
  return { code: 'APPROVED_OTHERWISE', severity: 'warning', pointer: '/approval', message };
}
