/** Says how a person passes variables to an agent: by options of the command line, or by its setting in VS Code. */
export function howToPass(agent: string, variables: readonly string[]): string {
  const options = variables.map((name) => `--cli-env ${agent}=${name}`).join(' ');
  return `${options} (in VS Code: the setting missionControl.env.${agent})`;
}
