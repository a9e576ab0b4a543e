import type { Refusal } from '../../base/outcome';
import type { Sent } from '../../engine/owner/deliver';
import type { Answer } from './types';

export const untrusted: Refusal & Answer = {
  accepted: false,
  code: 'WORKSPACE_UNTRUSTED',
  reason: 'This workspace is not trusted, so nothing is started here.',
  next: ['Workspaces: Manage Workspace Trust'],
};

export function accepted(reason: string): Answer {
  return { accepted: true, code: 'OK', reason, next: [] };
}

export function answerOf({ code, reason, next }: Omit<Answer, 'accepted'>): Answer {
  return { accepted: false, code, reason, next };
}

/** Null: no owner has answered. */
export function answerIn(sent: Sent | null): Answer | null {
  return sent?.kind === 'answered' ? sent.answer : null;
}
