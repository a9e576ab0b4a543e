import { mkdtempSync, rmSync } from 'node:fs';
import path from 'node:path';
import { planFiles } from '../../src/adapters/documents/planFiles';
import { openJournalDb } from '../../src/adapters/journal/inProcess';
import { redactText } from '../../src/adapters/system/redact';
import { fold } from '../../src/core/mission/evolve';
import type { MissionEvent } from '../../src/core/model/events';
import { differences } from '../../src/core/plan/differences';
import { approvedPlanOf } from '../../src/core/plan/normalize';
import type { Plan } from '../../src/contracts/plan';
import { agentNames } from '../../src/contracts/vocabulary/workers';
import { checkPlanText } from '../../src/engine/plans/check';
import { writeHistory } from './history';
import { threadTime, type Line } from './measure';
import { snapshotOfHistory } from './panel';
import { agentPlan, commandPlan } from './plans';
import { parse, transcriptOf } from './transcripts';

const stream = 'BENCH-20260101T000000Z-bench1';
const eventsOfTask = 24;
/** Each work at these many times its smallest size. */
const times = [1, 10, 100] as const;
/** Above this, a cost grows faster than what is new: a defect. */
const aim: Line['aim'] = { of: 'value', is: 'at_most', value: 1.1 };

type Work = () => unknown;

/**
 * How costs grow: each work at 1, 10 and 100 times a size, in CPU time of the thread. The exponent is the one between
 * the two larger sizes, because the smallest shows what an empty one costs.
 */
export async function exponentBench(scratch: string): Promise<readonly Line[]> {
  const folder = mkdtempSync(path.join(scratch, 'grows-'));
  const history = (tasks: number): string => path.join(folder, `${tasks}.db`);
  const rows: Line[] = [
    await grows('validation', 'tasks', 10, (tasks) => {
      const bytes = new TextEncoder().encode(JSON.stringify(agentPlan(tasks), null, 2));
      return () => void checkPlanText(planFiles, bytes, '/workspace/docs/plans/PLAN_BENCH.json');
    }),
    await grows('what a revision changes', 'tasks', 10, (tasks) => {
      const plan = (planned: object) => approvedPlanOf(planned as Plan, { defaultWorker: 'codex' });
      const [before, after] = [plan(commandPlan(tasks)), plan(commandPlan(tasks, 'other/'))];
      return () => void differences(before, after);
    }),
    await grows(
      'a mission decided and written',
      'tasks',
      10,
      (tasks) => {
        return () => {
          rmSync(history(tasks), { force: true });
          writeHistory(history(tasks), stream, tasks * eventsOfTask);
        };
      },
      'Each event looks at each task some twenty times. With 1,000 tasks that costs as much as the event itself.',
    ),
  ];
  rows.push(
    await grows('a history read and folded', 'tasks', 10, (tasks) => {
      const opened = openJournalDb<MissionEvent>(history(tasks), 'read');
      if (!opened.ok) throw new Error(opened.refusal.reason);
      return async () => void fold(await opened.value.read(stream, 0, 1_000_000));
    }),
    await grows('the page of a mission', 'tasks', 10, (tasks) => snapshotOfHistory(history(tasks))),
    await grows('redaction', 'kB', 40, (kilobytes) => {
      const text = 'compiled src/app.ts in 12 ms, 3 warnings\n'.repeat((kilobytes * 1000) / 41);
      return () => void redactText(text);
    }),
  );
  for (const name of agentNames)
    rows.push(
      await grows(`transcripts of ${name}`, 'kB', 80, (kilobytes) => {
        const { chunks } = transcriptOf(name, kilobytes * 1000);
        return () => parse(name, chunks);
      }),
    );
  return rows;
}

async function grows(
  name: string,
  of: string,
  smallest: number,
  prepare: (size: number) => Promise<Work> | Work,
  why?: string,
): Promise<Line> {
  const taken: number[] = [];
  for (const factor of times) taken.push(await fastest(await prepare(smallest * factor)));
  const [, middle = 0, last = 0] = taken;
  return {
    name: `growth of ${name}, ${times.map((factor) => smallest * factor).join(', ')} ${of}`,
    unit: 'exponent',
    ours: Math.log10(last / middle),
    against: `${taken.map((ms) => ms.toPrecision(2)).join(', ')} ms`,
    limit: null,
    aim,
    ...(why !== undefined && { why }),
  };
}

/** The fastest of five, milliseconds; each lasts many ticks in which Linux books CPU time. */
async function fastest(work: Work): Promise<number> {
  for (const warm = threadTime(); threadTime() - warm < 100;) await work();
  const rounds: number[] = [];
  for (let round = 0; round < 5; round++) {
    const began = threadTime();
    let done = 0;
    do {
      await work();
      done += 1;
    } while (threadTime() - began < 100);
    rounds.push((threadTime() - began) / done);
  }
  return Math.min(...rounds);
}
