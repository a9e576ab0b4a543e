import type { Refusal } from '../../base/outcome';
import type { DoctorCheck } from '../../engine/ports/doctor';

export function inOrder(id: string, detail: string): DoctorCheck {
  return { id, ok: true, required: true, detail, fix: '' };
}

export function inDisorder(id: string, detail: string, fix: string): DoctorCheck {
  return { id, ok: false, required: true, detail, fix };
}

export function asRefused(id: string, { reason, next }: Refusal): DoctorCheck {
  return inDisorder(id, reason, next[0] ?? '');
}
