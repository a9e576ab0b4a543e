import type { LiveWorkerView } from '../../contracts/page/liveView';
import type { MissionControlView, MissionView } from '../../contracts/page/missionView';
import { ui } from '../../base/text/marked/ui';
import { runner } from '../../contracts/vocabulary/actors';
import type { FolderOwner, OwnerDependencies } from './owner';

/** Continues, without asking, missions of this machine that no process runs. */
export class Continuations {
  /** Missions whose continuation failed; not tried again until another owner had them. */
  readonly #tried = new Set<string>();
  /** Missions that this window takes over, until a snapshot shows it as their owner. */
  readonly #taking = new Set<string>();

  constructor(
    private readonly owner: Pick<FolderOwner, 'use'>,
    private readonly isKnown: (missionId: string) => boolean,
    private readonly log: Pick<OwnerDependencies['log'], 'info' | 'warn'>,
  ) {}

  /** A mission that is being taken over does not look interrupted. */
  follow(view: MissionControlView): MissionControlView {
    if (view.owner === 'another') this.#tried.clear();
    if (view.owner !== 'none') this.#taking.clear();
    for (const { mission_id } of toContinue(view, this.isKnown)) {
      if (this.#tried.has(mission_id)) continue;
      this.#tried.add(mission_id);
      this.#taking.add(mission_id);
      void this.#take(mission_id);
    }
    return { ...view, missions: view.missions.map((mission) => this.#goingOn(mission)) };
  }

  #goingOn(mission: MissionView): MissionView {
    if (!mission.interrupted || !this.#taking.has(mission.mission_id)) return mission;
    const tasks = mission.tasks.map(({ interrupted: _interrupted, ...task }) => task);
    const lanes = mission.lanes.map(goingOn);
    const live = mission.live && goingOn(mission.live);
    return { ...mission, tasks, lanes, live, interrupted: false, headline: 'This window goes on with it.' };
  }

  async #take(missionId: string): Promise<void> {
    const taken = await this.owner.use(runner, (host) => host.take(missionId));
    if (taken.ok && taken.value.ok) {
      this.log.info(ui`Continued ${missionId}.`);
      return;
    }
    this.#taking.delete(missionId);
    const refusal = taken.ok ? (taken.value.ok ? null : taken.value.refusal) : taken.refusal;
    // Tries again at the next snapshot, because another window was faster or a former owner is about to leave.
    if (refusal?.code === 'LEASE_HELD') this.#tried.delete(missionId);
    this.log.warn(ui`${missionId} was not continued: ${refusal?.reason ?? ''}`);
  }
}

/** Drops the facts about the process, because an owner watches it again and the journal has it. */
function goingOn({ left, ...lane }: LiveWorkerView): LiveWorkerView {
  return left ? { ...lane, stage: goingOnStage, doing: goingOnStage } : lane;
}

const goingOnStage = 'going on';

/** Marks open missions that no process runs and this machine did not start, because a person decides about them. */
export function markFound(view: MissionControlView, isKnown: (missionId: string) => boolean): MissionControlView {
  if (view.owner !== 'none') return view;
  return {
    ...view,
    missions: view.missions.map((mission) =>
      mission.ending || mission.runs_on !== undefined || mission.foreign || isKnown(mission.mission_id)
        ? mission
        : found(mission),
    ),
  };
}

/** Missions that this window continues without asking: remembered here, begun, and without an owner. */
export function toContinue(view: MissionControlView, isKnown: (missionId: string) => boolean): readonly MissionView[] {
  if (view.owner !== 'none') return [];
  return view.missions.filter(({ mission_id, foreign, interrupted, ending, execution }) => {
    const isUnfinished = ending !== null && execution !== 'REPORTED';
    return isKnown(mission_id) && !foreign && (interrupted || isUnfinished);
  });
}

function found(mission: MissionView): MissionView {
  const headline =
    mission.interrupted && mission.offers.ResumeMission
      ? 'Found, not started here. It continues where it stopped when you resume it.'
      : `Found, not started here. ${mission.headline}`;
  // Shows no live processes, because the journal may be from another machine or time.
  return { ...mission, headline, live: null, lanes: [] };
}
