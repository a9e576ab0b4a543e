import { waitsForPerson, type MissionView } from '../../src/contracts/missionView';

/** The fixed order of groups: missions that need a person come first. */
const sections = [
  { id: 'attention', title: 'Needs a person', holds: (mission: MissionView) => needsPerson(mission) },
  {
    id: 'running',
    title: 'Running',
    holds: (mission: MissionView) => mission.status === 'running' && !mission.interrupted,
  },
  { id: 'paused', title: 'Paused', holds: (mission: MissionView) => mission.status === 'paused' },
  {
    id: 'planned',
    title: 'Planned',
    holds: (mission: MissionView) => mission.status === 'planned' && !mission.interrupted,
  },
  { id: 'ended', title: 'Ended', holds: (mission: MissionView) => mission.ending !== null },
] as const;

export interface Group {
  readonly id: string;
  readonly title: string;
  readonly missions: readonly MissionView[];
}

/** Every mission is in exactly one group: the first whose condition holds. */
export function groupMissions(missions: readonly MissionView[]): readonly Group[] {
  const groups = new Map<string, MissionView[]>(sections.map((section) => [section.id, []]));
  for (const mission of missions) {
    const section = sections.find((candidate) => candidate.holds(mission)) ?? sections[0];
    groups.get(section.id)?.push(mission);
  }
  return sections
    .map(({ id, title }) => ({ id, title, missions: groups.get(id) ?? [] }))
    .filter((group) => group.missions.length > 0);
}

function needsPerson(mission: MissionView): boolean {
  if (mission.ending) return mission.status === 'failed' && !mission.acknowledged;
  return mission.interrupted || waitsForPerson(mission);
}
