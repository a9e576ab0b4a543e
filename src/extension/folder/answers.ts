import type { Refusal } from '../../base/outcome';
import type { Sent } from '../../engine/owner/deliver';
import type { Answer, HandoffExport, HandoffResumption } from './missionFolders';
import { handoffNames } from '../../contracts/vocabulary/handoff';
import type { askedHandoff } from '../../engine/views/reader';
import type { Resumed } from '../../engine/handoff/resume';
import { notWritten } from '../../base/text/words';

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

/** The answer about a requested handoff; null: it was not written in time. */
export function exported(handoff: Awaited<ReturnType<typeof askedHandoff>>): HandoffExport {
  if (handoff?.state.kind === 'written') {
    const moved = handoff.move ? ' The run was given away with it and has ended here.' : '';
    return {
      answer: accepted(`Handoff ${handoff.n} is written.${moved}${handoff.left_behind}`),
      bundle: `${handoff.state.path}/${handoffNames.bundle}`,
    };
  }
  if (handoff?.state.kind === 'refused') {
    return {
      answer: answerOf({
        code: handoff.state.code,
        reason: notWritten(handoff.n, handoff.state),
        next: ['Correct it and export again.'],
      }),
      bundle: null,
    };
  }
  return {
    answer: answerOf({
      code: 'LEASE_HELD',
      reason: 'The handoff was asked for and is not written yet; the owner, or the next one, still writes it.',
      next: ['Mission Control: Show Mission Control'],
    }),
    bundle: null,
  };
}

export function resumption(resumed: Resumed): HandoffResumption {
  if (resumed.kind === 'refused') {
    const { refusal, checks, plan_id } = resumed;
    return { answer: answerOf(refusal), checks, notes: [], plan_id, lacks: refusal.lacks ?? null };
  }
  const { engine, checks, notes } = resumed;
  const answer = accepted(`The run goes on here as mission ${engine.missionId}.`);
  return { answer, checks, notes, plan_id: engine.mission?.plan.plan_id ?? null, lacks: null };
}

export function notResumed(refusal: Omit<Answer, 'accepted'>): HandoffResumption {
  return { answer: answerOf(refusal), checks: [], notes: [], plan_id: null, lacks: null };
}
