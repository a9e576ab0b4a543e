import { errorWords } from '../../base/errorWords';
import type { Refusal } from '../../base/outcome';
import type { Effect } from '../../core/mission/effects';
import type { Report } from '../../core/model/inputs';
import type { Mission } from '../../core/model/state';
import type { EngineOptions } from '../ports/context';
import type { EnginePorts } from '../ports/engine';
import type { Reporting } from './answerRequest';
import { awaitOrchestrator } from './awaitOrchestrator';
import { awaitWorker } from './awaitWorker';
import { checkPlanHash } from './checkPlanHash';
import { observeChanges } from './observeChanges';
import { prepareLaunch } from './prepareLaunch';
import { prepareOrchestrator } from './prepareOrchestrator';
import { proveTreeGone } from './proveTreeGone';
import { readMemory } from './readMemory';
import { readTree } from './readTree';
import { saveMemory } from './saveMemory';
import { startOrchestrator, stopOrchestrator } from './startOrchestrator';
import { startWorker } from './startWorker';
import { stopWorker } from './stopWorker';
import { takeBaseline } from './takeBaseline';
import { writeHandoff } from './writeHandoff';
import { writeHeader } from './writeHeader';
import { writeIntervention } from './writeIntervention';
import { writePacket } from './writePacket';
import { writeReport } from './writeReport';
import { writeTaskEvidence } from './writeTaskEvidence';
import { EffectRefused } from './written';

/** `report`: null when another effect reports. `fault`: the words of the error. */
export type EffectResult =
  | { readonly ok: true; readonly report: Report | null }
  | { readonly ok: false; readonly refusal: Refusal; readonly fault: string };

/** Runs one effect. A failed one is still pending at the next start. */
export async function runEffect(
  effect: Effect,
  mission: Mission,
  ports: EnginePorts,
  options: EngineOptions,
  reporting: Reporting,
): Promise<EffectResult> {
  try {
    return { ok: true, report: await carriedOut(effect, mission, ports, options, reporting) };
  } catch (error) {
    const fault = errorWords(error);
    if (error instanceof EffectRefused) return { ok: false, refusal: error.refusal, fault };
    const reason = `The step ${effect.kind} failed: ${fault}.`;
    return { ok: false, refusal: { code: 'EFFECT_FAILED', reason, next: ['mission doctor'] }, fault };
  }
}

function carriedOut(
  effect: Effect,
  mission: Mission,
  ports: EnginePorts,
  options: EngineOptions,
  reporting: Reporting,
): Promise<Report | null> {
  const { tell: early } = reporting;
  switch (effect.kind) {
    case 'writeHeader':
      return writeHeader(mission, ports, options, early);
    case 'checkPlanHash':
      return checkPlanHash(effect, mission, ports);
    case 'takeBaseline':
      return takeBaseline(effect, mission, ports, early);
    case 'prepareLaunch':
      return prepareLaunch(effect, mission, ports, options);
    case 'startWorker':
      return startWorker(effect, mission, ports, options);
    case 'awaitWorker':
      return awaitWorker(effect, mission, ports, options, early);
    case 'stopWorker':
      return stopWorker(effect, mission, ports, options);
    case 'observeChanges':
      return observeChanges(effect, mission, ports);
    case 'prepareOrchestrator':
      return prepareOrchestrator(effect, mission, ports, options, early);
    case 'startOrchestrator':
      return startOrchestrator(effect, mission, ports, options);
    case 'awaitOrchestrator':
      return awaitOrchestrator(effect, mission, ports, options, reporting);
    case 'stopOrchestrator':
      return stopOrchestrator(effect, mission, ports, options);
    case 'proveTreeGone':
      return proveTreeGone(effect, mission, ports, options);
    case 'writeTaskEvidence':
      return writeTaskEvidence(effect, mission, ports, early);
    case 'writeIntervention':
      return writeIntervention(effect, mission, ports, early);
    case 'readMemory':
      return readMemory(effect, mission, ports);
    case 'saveMemory':
      return saveMemory(effect, mission, ports, options);
    case 'readTree':
      return readTree(effect, mission, ports);
    case 'writePacket':
      return writePacket(effect, mission, ports, early);
    case 'writeHandoff':
      return writeHandoff(effect, mission, ports, early);
    case 'writeReport':
      return writeReport(mission, ports, options, early);
    // The engine sets a timer for this effect.
    case 'awaitLimit':
      return Promise.resolve(null);
  }
}
