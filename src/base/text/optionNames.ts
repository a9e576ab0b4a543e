/** Where a person reads a message, which names an option in the way it is set there. */
export type Surface = 'terminal' | 'editor';

export function executableOption(surface: Surface, worker: string): string {
  return surface === 'editor' ? `the setting missionControl.${worker}.path` : `--cli ${worker}=/path/of/${worker}`;
}

/** Names the agent of tasks whose plan names no worker. */
export function defaultWorkerOption(surface: Surface): string {
  return surface === 'editor' ? 'the setting missionControl.defaultWorker' : '--worker NAME';
}

export function extraArgumentsOption(surface: Surface, worker: string): string {
  return surface === 'editor' ? `the setting missionControl.${worker}.extraArgs` : `--cli-arg ${worker}=ARGUMENT`;
}

export function modelOption(surface: Surface, worker: string): string {
  return surface === 'editor' ? `the setting missionControl.${worker}.model` : `--cli-model ${worker}=MODEL`;
}

export function hostsOption(surface: Surface, worker: string): string {
  return surface === 'editor' ? `the setting missionControl.${worker}.hosts` : `--cli-host ${worker}=HOST`;
}
