import * as z from 'zod';

/** `stopped.json` in the user's own folder: who stopped everything of this user on this machine, and why. */
export const machineHoldSchema = z.strictObject({
  schema_version: z.literal('1.0.0'),
  by: z.string().min(1),
  reason: z.string().min(1),
  at: z.iso.datetime(),
});
export type MachineHold = Omit<z.infer<typeof machineHoldSchema>, 'schema_version'>;
