import type { MissionView } from '../../contracts/page/missionView';
import { missionWord } from '../../base/text/words';
import { limited } from '../../base/text/oneLine';
import { ui, type UiText } from '../../base/text/marked/ui';
import type { ApprovalVerdict } from '../../core/plan/approvalRecord';
import { changedSinceMission, sentence, type PlanStep } from './planLines';

/** A line of a plan's language status, with the command that helps. */
export interface PlanStatusLine {
  readonly text: UiText;
  readonly detail: UiText;
  readonly severity: 'information' | 'warning' | 'error';
  readonly does: PlanStep | null;
}

export interface PlanStatusFacts {
  /** `draft`, `approved` or `2 errors`; null: not judged yet. */
  readonly state: string | null;
  /** Digest of the file; null: it cannot be read. */
  readonly sha256: string | null;
  /** The editor holds other text than the file. */
  readonly edited: boolean;
  /** Says whether these bytes were approved on this machine; null: this folder has no approval at all. */
  readonly approval: ApprovalVerdict | null;
  /** The newest mission of this plan; null: none ran. */
  readonly mission: MissionView | null;
}

/**
 * Says whether a person approved the bytes of the file. Short, because VS Code shows it on one line before the command.
 */
export function hashLine({ state, sha256, edited, approval, mission }: PlanStatusFacts): PlanStatusLine {
  const line = (
    text: UiText,
    detail: UiText,
    severity: PlanStatusLine['severity'],
    does: PlanStatusLine['does'],
  ): PlanStatusLine => ({ text, detail, severity, does });
  const hash = sha256 === null ? '' : `SHA-256 ${sha256.slice(0, 8)}…`;
  if (state === null) return line(ui`Not checked yet`, ui`${hash}`, 'information', null);
  if (state === 'draft') return line(ui`Draft`, edited ? ui`not saved yet` : ui`${hash}`, 'information', 'approvePlan');
  if (state !== 'approved') return line(ui`${state}`, ui`see the Problems panel`, 'error', 'validatePlan');
  const changed = ui`Changed since approval`;
  if (edited)
    return line(changed, ui`not saved`, 'warning', changedFrom(sha256, mission) ? 'compareWithLockedPlan' : null);
  if (approval?.counts) {
    const { by } = approval.approved;
    return line(ui`Approved here`, ui`by ${limited(by, 16)}, ${hash}`, 'information', 'runPlan');
  }
  if (changedFrom(sha256, mission)) return line(changed, ui`${hash}`, 'warning', 'compareWithLockedPlan');
  if (approval?.recorded === 'others') return line(changed, ui`${hash}`, 'warning', 'runPlan');
  if (approval?.recorded === 'these') return line(ui`Approval no longer counts`, ui`${hash}`, 'warning', 'runPlan');
  return line(ui`Not approved on this machine`, ui`${hash}`, 'warning', 'runPlan');
}

export function lockLine({ mission, sha256 }: PlanStatusFacts): PlanStatusLine {
  if (mission === null)
    return { text: ui`Not locked`, detail: ui`no mission ran it`, severity: 'information', does: null };
  const other = changedFrom(sha256, mission);
  const detail = ui`${missionWord(mission)}, ${mission.done} of ${mission.tasks.length} done`;
  if (mission.ending === null) {
    const text = other ? ui`Locked with other bytes` : ui`Locked by its mission`;
    return {
      text,
      detail,
      severity: other ? 'warning' : 'information',
      does: other ? 'compareWithLockedPlan' : 'showMissionControl',
    };
  }
  const text = other ? ui`${sentence(changedSinceMission)}` : ui`As its mission ran it`;
  return { text, detail, severity: 'information', does: other ? 'compareWithLockedPlan' : 'showMissionControl' };
}

/** Returns whether the mission locked other bytes than the file has; false: unknown. */
export function changedFrom(sha256: string | null, mission: MissionView | null): boolean {
  return sha256 !== null && mission !== null && mission.plan_sha256 !== sha256;
}
