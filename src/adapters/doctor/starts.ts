import type { DoctorCheck } from '../../engine/ports/doctor';
import { startsHeld } from '../user/machineHold';

/** Says whether a person stopped everything of this user on this machine, because every start is refused then. */
export async function startsCheck(): Promise<DoctorCheck> {
  const check = { id: 'starts', required: true } as const;
  const hold = await startsHeld();
  if (hold === null) return { ...check, ok: true, detail: 'Missions may start.', fix: '' };
  return { ...check, ok: false, detail: hold.reason, fix: hold.next[0] ?? '' };
}
