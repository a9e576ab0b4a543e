import { confinementModes, type ConfinementMode } from '../../contracts/vocabulary/confinement';

/** The strictest of what setting, flag and plan ask for; `preferred` where nobody asks. */
export function strictestMode(wanted: readonly (ConfinementMode | null | undefined)[]): ConfinementMode {
  return confinementModes.find((mode) => wanted.includes(mode)) ?? 'preferred';
}
