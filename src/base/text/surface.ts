/** Where a person reads: what can be set is named as it is set there. */
export type Surface = 'terminal' | 'editor';

export function executableOption(surface: Surface, worker: string): string {
  return surface === 'editor' ? `the setting missionControl.${worker}.path` : `--cli ${worker}=/path/of/${worker}`;
}

export function extraArgumentsOption(surface: Surface, worker: string): string {
  return surface === 'editor' ? `the setting missionControl.${worker}.extraArgs` : `--cli-arg ${worker}=ARGUMENT`;
}
