import type { CommandOffers } from '../../contracts/missionView';
import type { TaskCommandName } from '../../contracts/missionCommand';
import { decisionStep } from '../../base/text/steps';
import { acceptCommand } from '../lifecycle/judgeVerifyChanges';
import { grantStepsOf } from '../mission/grant';
import { answerSteps } from '../mission/questions';
import { reviseStep } from '../mission/supersede';
import { cannotSkip } from '../mission/skip';
import { openChanges, type Mission, type TaskRow } from '../model/state';

/** What a person can do about a blocked task, the likeliest first; what leaves it as it is comes with its packet. */
export function blockSteps(mission: Mission, row: TaskRow, offers: CommandOffers): readonly string[] {
  const { task_id } = row.task;
  const offered = (name: TaskCommandName): boolean => offers[name].includes(task_id);
  const changes = openChanges(row);
  return [
    ...answerSteps(mission, task_id),
    ...(offered('AcceptChanges') ? [acceptCommand(mission, task_id, changes)] : []),
    ...(offered('RerunValidation') ? [decisionStep('rerun-validation', mission.mission_id, task_id)] : []),
    ...grantStepsOf(mission, task_id),
    ...(offered('RetryTask') ? [decisionStep('retry', mission.mission_id, task_id)] : []),
    ...leaveStep(mission, task_id),
    ...(cannotSkip(mission, task_id) ? [] : [decisionStep('skip', mission.mission_id, task_id)]),
    ...(offers.SupersedeMission ? [reviseStep(mission)] : []),
    ...(offers.CancelMission ? [decisionStep('cancel', mission.mission_id)] : []),
  ];
}

/** Only once. */
function leaveStep({ packets }: Mission, taskId: string): readonly string[] {
  const packet = packets.findLast(({ task_id }) => task_id === taskId);
  return packet?.state.kind === 'open'
    ? [decisionStep('packet resolve', packet.packet_id, '--outcome', 'leave-blocked')]
    : [];
}
