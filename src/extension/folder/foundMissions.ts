import type { MissionControlView, MissionView } from '../../contracts/missionView';

/** Marks open missions that no process runs and this machine did not start; a person decides about them. */
export function markFound(view: MissionControlView, isKnown: (missionId: string) => boolean): MissionControlView {
  if (view.owner !== 'none') return view;
  return {
    ...view,
    missions: view.missions.map((mission) =>
      mission.ending || isKnown(mission.mission_id) ? mission : found(mission),
    ),
  };
}

/** Missions that this window continues without asking: known here, begun, and without an owner. */
export function toContinue(view: MissionControlView, isKnown: (missionId: string) => boolean): readonly MissionView[] {
  if (view.owner !== 'none') return [];
  return view.missions.filter(
    (mission) => isKnown(mission.mission_id) && (mission.interrupted || isUnfinished(mission)),
  );
}

/** Has ended, but its evidence is not complete yet. */
function isUnfinished(mission: MissionView): boolean {
  return mission.ending !== null && mission.execution !== 'REPORTED';
}

function found(mission: MissionView): MissionView {
  const headline = mission.interrupted
    ? 'Found, not started here. It continues where it stopped when you resume it.'
    : `Found, not started here. ${mission.headline}`;
  // The journal may be from another machine or time, so nothing is known about live processes here.
  return { ...mission, headline, live: null, lanes: [] };
}
