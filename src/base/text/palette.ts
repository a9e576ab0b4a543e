/**
 * The palette commands by which a person does what these steps say, as in `Mission Control: Retry Task, Skip Task, or
 * Cancel Mission`; null where the palette has none of them. In the order of the steps.
 */
export function paletteWords(steps: readonly string[]): string | null {
  const found = steps.flatMap((step) => {
    const verb = Object.keys(paletteTitles).find((name) => step.startsWith(`mission ${name} `));
    return verb === undefined ? [] : (paletteTitles[verb] ?? []);
  });
  const [first, ...others] = [...new Set(found)];
  if (first === undefined) return null;
  const last = others.pop();
  if (last === undefined) return `Mission Control: ${first}`;
  return `Mission Control: ${[first, ...others].join(', ')}${others.length > 0 ? ',' : ''} or ${last}`;
}

/** By the command of the terminal. `test/extension/registry` compares them with the titles of the palette. */
export const paletteTitles: Readonly<Record<string, string>> = {
  accept: 'Accept Change…',
  acknowledge: 'Acknowledge Failure',
  answer: 'Answer Question',
  cancel: 'Cancel Mission',
  grant: 'Grant and Resume',
  intervene: 'Complete Intervention',
  'memory confirm': 'Confirm Memory',
  'packet resolve': 'Open Recovery Packet',
  'packet revise': 'Revise Task…',
  pause: 'Pause',
  'rerun-validation': 'Rerun Validation',
  'plan revise': 'New Revision',
  resume: 'Resume',
  retry: 'Retry Task',
  skip: 'Skip Task',
  'stop --release': 'Allow Starts Again',
  stop: 'Stop Worker',
};
