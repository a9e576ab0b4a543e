import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { openJournalDb } from '../../src/adapters/journal/inProcess';
import { fold } from '../../src/core/mission/evolve';
import { missionView } from '../../src/core/view/mission/missionView';
import type { MissionEvent } from '../../src/core/model/events';
import { readEventRange } from '../../src/engine/views/reader';
import { panelItems, shownEntry, shownItem, type PanelFolder } from '../../src/engine/views/panelView';
import { writeHistory } from './history';
import { interleaved, threadTime, type Line } from './measure';

const stream = 'BENCH-20260101T000000Z-bench1';
const tasks = 500;
const eventsOfTask = 24;
/** Missions of the list, apart from the one that is shown. */
const others = 50;

function folderOf(key: string, missions: PanelFolder['missions']): PanelFolder {
  const views = missions.map(({ mission }) => missionView(mission, [], new Map(), true));
  return { ...{ key, workspace: 'bench', owner: 'this', drafts: [], evidence: [], unreadable: [] }, missions, views };
}

/** Makes the snapshot that shows the first mission. */
function snapshotOf(facts: PanelFolder): () => unknown {
  const [first] = facts.missions;
  return () => {
    const items = panelItems([facts]);
    const item = shownItem(items, `mission ${stream} ${facts.key}`);
    if (item?.of.kind !== 'mission' || item.of.read !== first) throw new Error('Another mission is shown.');
    return { entries: items.map(({ entry }) => entry), shown: shownEntry(item, { live: new Map() }) };
  };
}

/** Makes the snapshot of a folder that holds one mission of this history. */
export async function snapshotOfHistory(file: string): Promise<() => unknown> {
  const opened = openJournalDb<MissionEvent>(file, 'read');
  if (!opened.ok) throw new Error(opened.refusal.reason);
  const entries = await opened.value.read(stream, 0, 1_000_000);
  await opened.value.close();
  const mission = fold(entries);
  if (!mission) throw new Error('There is no mission.');
  return snapshotOf(folderOf('grown', [{ mission, entries: entries.slice(-200) }]));
}

/** What the panel makes for each snapshot, against writing that snapshot as JSON, which VS Code does to send it. */
export async function panelBench(scratch: string): Promise<readonly Line[]> {
  const folder = path.join(scratch, 'panel');
  mkdirSync(folder);
  const file = path.join(folder, 'state.db');
  writeHistory(file, stream, tasks * eventsOfTask);
  const opened = openJournalDb<MissionEvent>(file, 'read');
  if (!opened.ok) throw new Error(opened.refusal.reason);
  const journal = opened.value;
  // In the middle of the work: most tasks are done, one runs, the others wait.
  const entries = await journal.read(stream, 0, 10_000);
  const mission = fold(entries);
  if (!mission || mission.rows.length !== tasks) throw new Error('The mission is another one.');
  const read = { mission, entries: entries.slice(-200) };
  const list = Array.from({ length: others }, (_, index) => ({
    ...read,
    mission: { ...mission, mission_id: `${stream}-${index}`, received_at: new Date(index).toISOString() },
  }));
  const facts = folderOf(folder, [read, ...list]);
  const snapshot = snapshotOf(facts);
  const made = snapshot();
  const [ours = 0, lines = 0, written = 0] = await interleaved(
    7,
    threadTime,
    [() => void snapshot(), () => void panelItems([facts]), () => void JSON.stringify(made)],
    10,
  );
  const [range = 0, rows = 0] = await interleaved(
    7,
    threadTime,
    [
      async () => {
        const { events } = await readEventRange(journal, mission, 9_000, 200);
        if (events.length !== 200) throw new Error('Too few events.');
      },
      async () => {
        await journal.read(stream, 8_999, 200);
      },
    ],
    20,
  );
  await journal.close();
  const size = `${tasks} tasks, ${mission.last_seq} events, ${others} more missions`;
  const kilobytes = Math.round(JSON.stringify(made).length / 1000);
  return [
    {
      ...{ name: `snapshot of the panel, ${size}`, unit: 'ms', ours, limit: written },
      against: `JSON.stringify of it (${kilobytes} kB)`,
      aim: { of: 'value', is: 'at_most', value: 16 },
    },
    {
      ...{ name: 'of it the list alone', unit: 'ms', ours: lines, limit: written },
      ...{ against: 'the same', aim: null },
    },
    {
      ...{ name: '200 events from the middle of 10000', unit: 'ms', ours: range, limit: rows },
      against: 'reading their rows',
      aim: { of: 'ratio', is: 'at_most', value: 2 },
    },
  ];
}
