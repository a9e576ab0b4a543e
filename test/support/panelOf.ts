import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { MissionControlView } from '../../src/contracts/page/missionView';
import type { EvidenceVerdict, LinesView, PanelView } from '../../src/contracts/page/panelView';
import type { MissionEvent } from '../../src/core/model/events';
import { currentLaunch } from '../../src/core/model/attempt';
import type { JournalEntry } from '../../src/core/model/journalEntry';
import { decidedElsewhere, type Elsewhere } from '../../src/core/view/mission/decidedElsewhere';
import { missedStop, type LastStop } from '../../src/core/view/mission/interrupted';
import { missionView, type LiveFacts } from '../../src/core/view/mission/missionView';
import { fold } from '../../src/core/mission/evolve';
import { panelItems, shownEntry, shownItem, type PanelFolder } from '../../src/engine/views/panelView';
import { cases } from '../scenarios/cases';
import { played } from '../scenarios/played';

export type Entries = readonly JournalEntry<MissionEvent>[];

/** What a window shows; what is absent is not there. */
export interface PanelWorld {
  readonly missions?: readonly Entries[];
  readonly owner?: MissionControlView['owner'];
  /** Absent: there was none. */
  readonly lastStop?: LastStop;
  readonly claimed?: Elsewhere['claimed'];
  readonly workspace?: string;
  /** Index of the mission that is selected; absent: the first of the list. */
  readonly selected?: number;
  /** ISO-8601; absent: five seconds after the last event. */
  readonly now?: string;
  /** Absent: as it was locked. */
  readonly plan_now?: string | null;
  readonly evidence?: EvidenceVerdict;
  readonly lines?: ReadonlyMap<string, LinesView>;
  readonly drafts?: PanelFolder['drafts'];
  readonly evidence_only?: PanelFolder['evidence'];
  readonly unreadable?: PanelFolder['unreadable'];
  /** What the run directories of live launches say; absent: a sign of life two seconds ago. */
  readonly live?: Partial<LiveFacts>;
}

/** The page's view of journals, made as the extension makes it. */
export function panelOf(world: PanelWorld): PanelView {
  const read = (world.missions ?? []).map((entries) => {
    const mission = fold(entries);
    if (!mission) throw new Error('A journal without a mission.');
    return { mission, entries: entries.slice(-200) };
  });
  const last = read.map(({ mission }) => mission.last_at).reduce((one, two) => (one > two ? one : two), began);
  const now = world.now ?? later(last, 5);
  const sign: LiveFacts = {
    ...{ last_progress_at: later(now, -2), last_output_at: later(now, -2), output_bytes: 14_200, output_lines: 61 },
    ...world.live,
  };
  const running = read.flatMap(({ mission }) => mission.lanes.flatMap((lane) => currentLaunch(lane)?.launch_id ?? []));
  const live = new Map(running.map((id) => [id, sign]));
  const { owner = 'this', claimed = null } = world;
  const views = read.map(({ mission }) => {
    const missed = missedStop(world.lastStop ?? null, mission, owner);
    const view = missionView(mission, [], live, owner !== 'none');
    return decidedElsewhere({ ...view, ...(missed !== null && { missed_stop: missed }) }, { claimed });
  });
  const folder: PanelFolder = {
    key: '/workspace',
    workspace: world.workspace ?? 'shop',
    owner,
    views,
    missions: read,
    drafts: world.drafts ?? [],
    evidence: world.evidence_only ?? [],
    unreadable: world.unreadable ?? [],
  };
  const items = panelItems([folder]);
  const wanted = world.selected === undefined ? undefined : read[world.selected];
  const selected = items.find(({ of }) => of.kind === 'mission' && of.read === wanted);
  // A world without a mission has one thing, which its person has chosen.
  const item = shownItem(items, (selected ?? (read.length === 0 ? items[0] : undefined))?.entry.id ?? null);
  const mission = item?.of.kind === 'mission' ? item.of.read.mission : null;
  const facts = {
    live,
    ...(mission && { plan_now: world.plan_now === undefined ? mission.plan_sha256 : world.plan_now }),
    ...(world.evidence && { evidence: world.evidence }),
    ...(world.lines && { lines: world.lines }),
  };
  return {
    schema_version: '1.0.0',
    generated_at: now,
    entries: items.map(({ entry }) => entry),
    shown: item && shownEntry(item, facts),
    found: null,
  };
}

/** The journal of a scenario of `test/scenarios/cases`. @param events so many first ones only */
export function scenarioJournal(file: string, title: string, events?: number): Entries {
  const [, scenarios = []] = cases().find(([name]) => name === file) ?? [];
  const scenario = scenarios.find((one) => one.title === title);
  if (!scenario) throw new Error(`No scenario "${title}" in ${file}.`);
  return played(scenario).entries.slice(0, events);
}

/** The journal of a real mission, such as `0.1.0/blocked`. */
export function recordedJournal(name: string): Entries {
  return readFileSync(path.join(process.cwd(), 'test/journals', `${name}.jsonl`), 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as JournalEntry<MissionEvent>);
}

/** The same mission under other names, so that a list holds several. */
export function renamed(entries: Entries, planId: string, missionId = planId): Entries {
  return entries.map((entry) => {
    const { event } = entry;
    if (event.type !== 'MissionReceived') return { ...entry, stream: missionId };
    const plan = { ...event.plan, plan_id: planId };
    return { ...entry, stream: missionId, event: { ...event, mission_id: missionId, plan } };
  });
}

/**
 * The same mission as if its workers had taken their time, and its verify commands some: the clock of scenarios ticks
 * once a second. Workers that run at the same time take it together.
 */
export function paced(entries: Entries, workerSeconds = 90, verifySeconds = 12): Entries {
  const breaks: { readonly at: number; readonly seconds: number }[] = [];
  let started = false;
  for (const { event } of entries) {
    if (event.type === 'WorkerStarted') started = true;
    if (event.type === 'VerifyEnded')
      breaks.push({ at: Date.parse(event.result.end.ended_at), seconds: verifySeconds });
    if (event.type === 'WorkerEnded' && started)
      breaks.push({ at: Date.parse(event.end.ended_at), seconds: workerSeconds });
    if (event.type === 'WorkerEnded' || event.type === 'VerifyEnded') started = false;
  }
  const shifted = (text: string): string => {
    const at = Date.parse(text);
    const seconds = breaks.filter((one) => one.at <= at).reduce((sum, one) => sum + one.seconds, 0);
    return new Date(at + seconds * 1000).toISOString();
  };
  return JSON.parse(JSON.stringify(entries).replaceAll(isoTime, shifted)) as Entries;
}

const isoTime = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/g;
const began = '2026-01-01T00:00:00.000Z';

function later(at: string, seconds: number): string {
  return new Date(Date.parse(at) + seconds * 1000).toISOString();
}
