import { errorWords, type Refusal } from '../../base/outcome';
import type { Effect } from '../../core/mission/effects';
import type { Report } from '../../core/model/inputs';
import type { EffectRun } from './run/effectRun';
import { checkPlanHash, prepareLaunch } from './launch/prepareLaunch';
import { awaitLaunch, startLaunch } from './launch/launch';
import { observeChanges } from './observe/observeChanges';
import { orchestratorLaunch, prepareOrchestrator } from './orchestrator/orchestratorLaunch';
import { landWork } from './write/landWork';
import { proveTreeGone, stopWorker } from './watch/stopWorker';
import { readMemory } from './launch/readMemory';
import { readTree } from './observe/readTree';
import { saveMemory } from './write/saveMemory';
import { takeBaseline } from './observe/takeBaseline';
import { taskLaunch } from './launch/taskLaunch';
import { undoAttempt } from './write/undoAttempt';
import { writeHandoff } from './write/writeHandoff';
import { writeHeader, writeIntervention, writePacket, writeReport, writeTaskEvidence } from './write/writeDocuments';
import { EffectRefused } from './write/written';

/** `report`: null when another effect reports. `fault`: the words of the error. */
export type EffectResult =
  | { readonly ok: true; readonly report: Report | null }
  | { readonly ok: false; readonly refusal: Refusal; readonly fault: string };

/** Runs one effect. A failed one is still pending at the next start. */
export async function runEffect<Kind extends Effect['kind']>(
  run: Omit<EffectRun<Kind>, 'send'>,
): Promise<EffectResult> {
  const { kind } = run.effect;
  try {
    return { ok: true, report: await effects[kind]({ ...run, send: run.reporting.tell }) };
  } catch (error) {
    const fault = errorWords(error);
    if (error instanceof EffectRefused) return { ok: false, refusal: error.refusal, fault };
    const reason = `The step ${kind} failed: ${fault}.`;
    return { ok: false, refusal: { code: 'EFFECT_FAILED', reason, next: ['mission doctor'] }, fault };
  }
}

const effects: { readonly [Kind in Effect['kind']]: (run: EffectRun<Kind>) => Promise<Report | null> } = {
  writeHeader,
  checkPlanHash,
  takeBaseline,
  prepareLaunch,
  startWorker: (run) => startLaunch(taskLaunch(run), run.ports),
  awaitWorker: (run) => awaitLaunch(taskLaunch(run), run.ports),
  stopWorker,
  observeChanges,
  landWork,
  prepareOrchestrator,
  startOrchestrator: (run) => startLaunch(orchestratorLaunch(run), run.ports),
  awaitOrchestrator: (run) => awaitLaunch(orchestratorLaunch(run), run.ports),
  stopOrchestrator: stopWorker,
  proveTreeGone,
  undoAttempt,
  writeTaskEvidence,
  writeIntervention,
  readMemory,
  saveMemory,
  readTree,
  writePacket,
  writeHandoff,
  writeReport,
};
