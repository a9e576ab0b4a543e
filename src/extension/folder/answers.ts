import type { Refusal } from '../../base/outcome';
import type { Answer } from './types';

/** Not a refusal of an owner: there was none. */
export const nobody = 'NOBODY';

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
