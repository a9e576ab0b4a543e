import type { MissionTimes, Span } from '../../../contracts/page/panelView';
import { shortCount } from '../../../base/text/amounts';
import { measured } from '../../mission/parts/budget';
import { laneOf } from '../../model/lanes';
import type { Mission, TaskRow, Tasks, Progress } from '../../model/state';
import { notEnded, attemptStretches, blockStretch, type Stretch } from './timeSpans';

/**
 * The bars of a task, oldest first. They do not overlap and begin with the mission, also where a clock went back. A bar
 * without a known end ends where the next one begins.
 *
 * @param interrupted no owner runs the mission, so what went on is unknown since its last event
 * @param sign the last sign of life of its worker, which may be later; null: unknown
 */
export function taskSpans(
  mission: Mission,
  row: TaskRow,
  interrupted: boolean,
  sign: string | null = null,
): readonly Span[] {
  const stretches = stretchesOf(mission, row);
  const begins = nextBeginnings(stretches);
  const spans: Span[] = [];
  let edge = mission.received_at;
  for (const [index, { from: given, to, ...stretch }] of stretches.entries()) {
    const from = laterOf(edge, given);
    const last = index === stretches.length - 1;
    if (to === notEnded && last && !mission.ending && (stretch.kind === 'block' || !interrupted)) {
      spans.push({ ...stretch, from, to: null });
      break;
    }
    const known = to === notEnded ? null : to;
    edge = laterOf(from, known ?? begins[index] ?? lastSeen(mission, row, sign));
    if (edge === from && brief.has(stretch.kind)) continue;
    spans.push({ ...stretch, from, to: edge, ...(known === null && unknownEnd(stretch)) });
  }
  return spans;
}

/** Between which times the bars of a mission lie. */
export function missionTimes(
  mission: Mission,
  rows: readonly { readonly spans: readonly Span[] }[],
  interrupted: boolean,
): MissionTimes {
  const from = mission.received_at;
  const endedAt = mission.ending?.at ?? (interrupted ? mission.last_at : null);
  const ends = rows.flatMap(({ spans }) => spans.at(-1)?.to ?? []);
  const until = endedAt === null ? null : ends.reduce(laterOf, laterOf(from, endedAt));
  return { from, until, budget: budgetOf(mission) };
}

function stretchesOf(mission: Progress, row: TaskRow): readonly Stretch[] {
  const { task_id, worker } = row.task;
  const lane = laneOf(mission, task_id);
  const attempts = [...row.attempts, ...(lane ? [lane] : [])];
  const packets = mission.packets.filter((packet) => packet.task_id === task_id);
  const blocks = (of: (attempt: number) => boolean): readonly Stretch[] =>
    packets.filter(({ attempt }) => of(attempt)).map((packet) => blockStretch(row, attempts, packet));
  const first = attempts[0]?.attempt ?? Number.POSITIVE_INFINITY;
  return [
    // Blocks that no attempt made here.
    ...blocks((attempt) => attempt < first),
    ...attempts.flatMap((attempt) => [
      ...attemptStretches(attempt, worker),
      ...blocks((blocked) => blocked === attempt.attempt),
    ]),
  ];
}

/** For each stretch, when the next one with a known beginning began; null: none did. */
function nextBeginnings(stretches: readonly Stretch[]): readonly (string | null)[] {
  let next: string | null = null;
  return stretches
    .toReversed()
    .map(({ from }) => {
      const begins = next;
      next = from ?? next;
      return begins;
    })
    .toReversed();
}

/** Says when the task was last seen: its end, that of the mission, its last event, or the last sign of life. */
function lastSeen(mission: Mission, row: TaskRow, sign: string | null): string {
  return row.ended_at ?? mission.ending?.at ?? laterOf(mission.last_at, sign);
}

function unknownEnd({ text, outcome }: Pick<Span, 'text' | 'outcome'>): Pick<Span, 'text' | 'outcome'> {
  if (outcome === 'running') return { outcome: 'unknown', text: `${text}; what became of it is unknown` };
  return { outcome, text };
}

/** Kinds of which nothing is shown when they took no time. */
const brief: ReadonlySet<Span['kind']> = new Set(['baseline', 'verify', 'relaunch', 'wait']);

/** The later of two times; a text that is not a time does not count. */
function laterOf(left: string, right: string | null): string {
  return right !== null && Date.parse(right) > Date.parse(left) ? right : left;
}

/** The limit of the plan of which the most is used. */
function budgetOf(mission: Tasks): MissionTimes['budget'] {
  const [most] = [...measured(mission)].sort((left, right) => right.used / right.limit - left.used / left.limit);
  if (!most) return null;
  const text = (value: number): string =>
    most.unit === 'usd' ? `$${value.toFixed(2)}` : `${shortCount(value)} tokens`;
  return { used: text(most.used), limit: text(most.limit), reached: most.used >= most.limit };
}
