import type { MissionControlView, MissionView } from '../../contracts/page/missionView';

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
  const headline = mission.interrupted
    ? 'Found, not started here. It continues where it stopped when you resume it.'
    : `Found, not started here. ${mission.headline}`;
  // Shows no live processes, because the journal may be from another machine or time.
  return { ...mission, headline, live: null, lanes: [] };
}
