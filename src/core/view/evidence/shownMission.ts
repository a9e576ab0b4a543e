import { paletteWords } from '../../../base/text/steps';
import type { MissionView, TaskView } from '../../../contracts/page/missionView';
import type {
  LinesView,
  LockLine,
  PanelTask,
  ShownMission,
  TaskRowView,
  ClaimView,
} from '../../../contracts/page/panelView';
import { entryOf } from '../../mission/evolve';
import { currentLaunch, type AttemptRecord, type EndedAttempt } from '../../model/attempt';
import type { MissionEvent } from '../../model/events';
import type { JournalEntry } from '../../model/journalEntry';
import { laneOf } from '../../model/lanes';
import type { Mission, TaskRow, Tasks } from '../../model/state';
import { envelopeSteps } from '../events/envelope';
import { eventLine } from '../events/eventLine';
import { evidenceAway, type Elsewhere } from '../mission/decidedElsewhere';
import { headline } from '../mission/headline';
import type { LiveFacts } from '../mission/missionView';
import { missionTimes, taskSpans } from '../mission/timeline';
import { restsOpen, withPlanFile } from '../plan/planFile';
import { type TrustFacts, trustLine } from '../plan/trust';
import { fewNamed } from '../../../base/text/firstNamed';
import { compareClaims } from '../../observation/claim';
import { hasEnded } from '../mission/milestoneViews';

/** Facts about a shown mission that its journal does not hold. */
export interface ShownMissionFacts extends Omit<TrustFacts, 'elsewhere'> {
  /** By launch id; a launch whose files could not be read is missing. */
  readonly live: ReadonlyMap<string, LiveFacts>;
  /** What its tasks added and removed, by task; absent: not counted. */
  readonly lines?: ReadonlyMap<string, LinesView>;
}

interface ShownFacts extends ShownMissionFacts, Pick<ShownMission, 'workspace' | 'owner'>, Pick<Elsewhere, 'place'> {
  readonly mission: Mission;
  /** Its newest entries, oldest first. */
  readonly entries: readonly JournalEntry<MissionEvent>[];
  /** What the snapshot says of it; a window says there what it is about to do. */
  readonly view: MissionView;
}

export function shownMission(facts: ShownFacts): ShownMission {
  const { mission, entries, live, owner, workspace, place } = facts;
  const { events: _events, ...view } = facts.view;
  const { interrupted } = view;
  // The text of a question stands on the card of its block.
  const inFull = headline(mission, interrupted);
  const shorter = view.headline.replace(inFull, () => headline(mission, interrupted, 'named'));
  const done = new Set(mission.rows.filter(hasEnded).map(({ task }) => task.task_id));
  const rows = mission.rows.map((row) => rowView(facts, row, done, interrupted));
  const now = withPlanNow(view, facts);
  const palette = paletteWords(now.attention?.next ?? now.next ?? []);
  return {
    workspace,
    owner,
    view: {
      ...now,
      headline: shorter,
      tasks: view.tasks.map(lighter),
    },
    ...(palette !== null && { palette }),
    times: missionTimes(mission, rows, interrupted),
    rows,
    envelope: envelopeSteps(mission, interrupted),
    // A mission of a fleet was approved where it was submitted.
    trust: trustLine(mission, {
      ...{ ...facts, elsewhere: !place && view.approval.elsewhere === true },
      ...(place && { evidence: evidenceAway(place) }),
    }),
    locks: locksOf(mission, live),
    last_events: entries
      .filter(isListed)
      .slice(-lastShown)
      .map((entry) => eventLine(entry, mission)),
    event_count: mission.last_seq,
  };
}

function withPlanNow<View extends Omit<MissionView, 'events'>>(view: View, { mission, plan_now }: ShownFacts): View {
  if (plan_now === undefined || !restsOpen(mission)) return view;
  return withPlanFile(view, mission, { observed: plan_now, explanation: null });
}

function lighter({ last_attempt, metadata: _metadata, intent: _intent, ...task }: TaskView): PanelTask {
  const usage = last_attempt?.usage;
  return { ...task, ...(usage && { usage }) };
}

const lastShown = 12;

/**
 * Returns whether a person looks for this event among the newest ones. Steps of the machinery are left out, and what
 * another event says as well.
 */
function isListed({ event }: JournalEntry<MissionEvent>): boolean {
  return !entryOf(event).shown.fine && !(event.type === 'RowTransitioned' && event.to === 'in_progress');
}

function rowView(
  { mission, live, lines }: ShownFacts,
  row: TaskRow,
  over: ReadonlySet<string>,
  interrupted: boolean,
): TaskRowView {
  const { task_id, depends_on, after = [] } = row.task;
  const attempt = judgedAttempt(mission, row);
  const counted = lines?.get(task_id);
  const before = row.status === 'todo' ? [...new Set([...depends_on, ...after])] : [];
  return {
    task_id,
    waits_for: before.filter((id) => !over.has(id)),
    spans: taskSpans(mission, row, interrupted, signOf(mission, row, live)),
    in_scope: scopeView(attempt),
    claim: claimView(attempt),
    ...(counted && { lines: counted }),
  };
}

function locksOf(mission: Tasks, live: ReadonlyMap<string, LiveFacts>): readonly LockLine[] {
  return mission.rows.flatMap((row) => {
    if (row.lock !== 'held') return [];
    const heartbeat_at = signOf(mission, row, live);
    return [{ what: row.scope.paths.join(', '), holder: row.task.task_id, since: row.locked_at, heartbeat_at }];
  });
}

/** The last sign of life of its worker; null: none runs, or its files could not be read. */
function signOf(mission: Tasks, { task }: TaskRow, live: ReadonlyMap<string, LiveFacts>): string | null {
  const lane = laneOf(mission, task.task_id);
  const launch = lane && currentLaunch(lane);
  return (launch && live.get(launch.launch_id)?.last_progress_at) ?? null;
}

/** Files of a claim that a person is shown. */
const shown = 100;

/** Null: nothing to compare. */
function claimView(attempt: Pick<AttemptRecord, 'claim' | 'observed'> | undefined): ClaimView | null {
  if (!attempt?.observed || attempt.claim.kind !== 'valid') return null;
  const { claim, observed } = attempt;
  const { changes } = claim.result;
  const { unobserved, unclaimed } = compareClaims(changes, observed.changes, {
    elsewhere: claim.elsewhere ?? [],
    earlier: observed.earlier,
    comparison: observed.comparison,
  });
  const claimed = changes.slice(0, shown).map(({ resource }) => resource);
  const same = unobserved.length === 0 && unclaimed.length === 0;
  if (same) return { same, text: 'same', claimed };
  return { same, text: [...saidMore(unobserved), ...saidLess(unclaimed)].join('; '), claimed };
}

/** The attempt of a task whose result is shown: the live one once something was observed, else the last. */
function judgedAttempt(mission: Tasks, row: TaskRow): AttemptRecord | undefined {
  const lane = laneOf(mission, row.task.task_id);
  return lane?.observed ? lane : (row.attempts.at(-1) ?? lane);
}

/** Null: nothing was found yet. */
function scopeView(attempt: AttemptRecord | EndedAttempt | undefined): TaskRowView['in_scope'] {
  if (!attempt?.observed) return null;
  // Where the attempt passed, a person has accepted what only its time gave to the worker.
  const passed = 'failure' in attempt && attempt.failure === null;
  const outside = attempt.observed.changes.filter(
    ({ violation, doubt }) => violation !== null || (doubt !== undefined && !passed),
  ).length;
  return { ok: outside === 0, outside };
}

/** The sentences of `compareClaims`, shorter. */
function saidMore(unobserved: readonly string[]): readonly string[] {
  const absent = namesAfter(unobserved, /^claimed, but not observed: /);
  const odd = unobserved.filter((line) => !line.startsWith('claimed, but not observed: '));
  return [...(absent.length > 0 ? [`also says ${fewNamed(absent)}, not found`] : []), ...odd.slice(0, 3)];
}

function saidLess(unclaimed: readonly string[]): readonly string[] {
  const left = namesAfter(unclaimed, /^observed, but not claimed: /).map((name) => name.replace(/ \([a-z_]+\)$/, ''));
  return left.length > 0 ? [`does not say ${fewNamed(left)}`] : [];
}

function namesAfter(lines: readonly string[], start: RegExp): readonly string[] {
  return lines.filter((line) => start.test(line)).map((line) => line.replace(start, ''));
}
