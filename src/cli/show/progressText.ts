import { elapsedText, liveText, type LiveWorkerView } from '../../contracts/page/liveView';
import type { MissionView } from '../../contracts/page/missionView';
import { terminal, type TerminalText } from '../../base/text/marked/terminal';

/** One line about a mission: what is under way, what is done, for how long. `now`: ISO-8601. */
export function progressText(mission: MissionView, now: string): string {
  return [
    underWay(mission, now),
    `${mission.done} of ${mission.tasks.length} done`,
    `mission ${elapsedText(mission.started_at, mission.ended_at ?? now) ?? 'not started'}`,
  ].join(' · ');
}

function underWay({ lanes, headline }: MissionView, now: string): string {
  const [only, ...others] = lanes;
  if (!only) return headline;
  if (others.length === 0) return `${named(only)}: ${stage(only, now)}`;
  return `${lanes.length} lanes: ${lanes.map((lane) => `${named(lane)} ${brief(lane, now)}`).join(', ')}`;
}

function named({ task_id, attempt, purpose }: LiveWorkerView): string {
  const again = attempt > 1 ? ` attempt ${attempt}` : '';
  return `${task_id}${again}${purpose === 'verify' ? ' (verify)' : ''}`;
}

function stage(live: LiveWorkerView, now: string): string {
  return live.started_at === null || live.stage !== 'running' ? live.stage : liveText(live, now);
}

function brief(live: LiveWorkerView, now: string): string {
  const running = elapsedText(live.started_at, now);
  return live.stage === 'running' && running !== null ? running : live.stage;
}

/** Says how long a task took, or has taken until `now`; empty when it has not started. */
export function taskTime(
  { started_at, ended_at, status, interrupted }: MissionView['tasks'][number],
  now: string,
): string {
  return elapsedText(started_at, ended_at ?? (status === 'in_progress' && !interrupted ? now : null)) ?? '';
}

/** Each milestone with its state and why, and its assertions as its last validation found them. */
export function milestoneLines({ milestones = [] }: Pick<MissionView, 'milestones'>): readonly TerminalText[] {
  return milestones.flatMap((milestone) => [
    terminal`  milestone ${milestoneHead(milestone)}: ${milestone.sentence}`,
    ...milestone.assertions.map(
      ({ id, text, status, answered_by }) =>
        terminal`    ${id} ${status ?? 'not answered'}${answered_by === null ? '' : ` (${answered_by})`}: ${text}`,
    ),
  ]);
}

/** `M1 The first half, accepted (scrutiny, 1 of at most 5 validations failed)`. */
function milestoneHead(milestone: NonNullable<MissionView['milestones']>[number]): string {
  const { id, title, state, mode, failures, limit } = milestone;
  const how = mode ?? 'not validated';
  const failed = limit === null ? '' : `, ${failures} of at most ${limit} validations failed`;
  return `${id} ${title}, ${state} (${how}${failed})`;
}
