import type { Launch, Mission } from '../../core/mission/state';

export function launchById(mission: Mission, launchId: string): Launch {
  const launch = mission.attempt?.launches.find((candidate) => candidate.launch_id === launchId);
  if (!launch) throw new Error(`No launch ${launchId} in the live attempt.`);
  return launch;
}
