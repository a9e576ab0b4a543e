import { confinementModes, type ConfinementMode } from '../../contracts/vocabulary/confinement';
import { UsageError, type Invocation, type OptionSpec } from '../shell/command';

/** For commands that begin a mission; VS Code has a setting for it. */
export const confinementOption = {
  confinement: {
    value: 'MODE',
    help: 'required, preferred or off (default: preferred); a plan can ask for more, never for less.',
  },
} as const satisfies Readonly<Record<string, OptionSpec>>;

/** @throws UsageError */
export function confinementOf(call: Invocation): ConfinementMode | undefined {
  const name = call.text('confinement');
  if (name === null) return undefined;
  const mode = confinementModes.find((candidate) => candidate === name);
  if (mode === undefined) throw new UsageError(`--confinement ${name}: it is one of ${confinementModes.join(', ')}.`);
  return mode;
}
