import type { MissionControlView, MissionView } from '../../contracts/missionView';

/** Open missions that nobody runs and that this machine does not know say so; a person decides about them. */
export function markFound(view: MissionControlView, isKnown: (missionId: string) => boolean): MissionControlView {
  if (view.owner !== 'none') return view;
  return {
    ...view,
    missions: view.missions.map((mission) =>
      mission.ending || isKnown(mission.mission_id) ? mission : found(mission),
    ),
  };
}

/** What goes on unasked when this window can be the owner: begun, not held up by anybody, and left alone. */
export function toContinue(view: MissionControlView, isKnown: (missionId: string) => boolean): readonly MissionView[] {
  if (view.owner !== 'none') return [];
  return view.missions.filter(
    (mission) => isKnown(mission.mission_id) && (mission.interrupted || isUnfinished(mission)),
  );
}

/** Decided, but its last words are not written yet. */
function isUnfinished(mission: MissionView): boolean {
  return mission.ending !== null && mission.execution !== 'REPORTED';
}

function found(mission: MissionView): MissionView {
  const headline = mission.interrupted
    ? 'Found, not started here. It continues where it stopped when you resume it.'
    : `Found, not started here. ${mission.headline}`;
  // Which processes live on this machine is not known here: the journal speaks of another place or time.
  return { ...mission, headline, live: null, lanes: [] };
}
