import type { ExecutionHeader } from '../../../contracts/record/header';
import { headerDocument } from '../../evidence/headerDocument';
import { headerPath, lockedPlanPath, summaryPath } from '../../../core/evidence/places';
import { summaryMarkdown } from '../../../core/evidence/summary';
import { executionHeader, summaryFacts } from '../../../core/mission/documents';
import type { MovedObstacle } from '../../../core/model/facts';
import type { Report } from '../../../core/model/inputs';

import type { EnginePorts } from '../../ports/engine';
import { readLockedPlan } from '../launch/planHash';
import { clearWay, written, type SendReport } from './written';
import type { EffectRun } from '../run/effectRun';
import type { ReceivedPlan } from '../../../core/model/state';

/** Writes the summary, then the final header with all digests. */
export async function writeReport({ mission, ports, options, send }: EffectRun<'writeReport'>): Promise<Report> {
  const planId = mission.plan.plan_id;
  const at = ports.clock.now();
  const moved = [
    ...(await keepLockedPlan(mission, ports, send)),
    ...(await clearWay(summaryPath(planId), mission, ports, send)),
    ...(await clearWay(headerPath(planId), mission, ports, send)),
  ];
  const complete = { ...mission, moved_aside: [...mission.moved_aside, ...moved] };
  const headerWith = (summary_sha256: string | null): ExecutionHeader =>
    executionHeader(complete, { summary_sha256, identity: options.identity, at });
  const facts = summaryFacts(mission, headerWith(null), ports.paths.places);
  const summary = written(await ports.evidence.writeMarkdown(summaryPath(planId), summaryMarkdown(facts)));
  const header = written(await ports.evidence.write(headerPath(planId), headerDocument(headerWith(summary.sha256))));
  return { type: 'ReportWasWritten', header_sha256: header.sha256, summary_sha256: summary.sha256 };
}

/** Restores the approved bytes in the evidence when they were removed or changed, and reports that. */
async function keepLockedPlan(
  mission: ReceivedPlan,
  ports: EnginePorts,
  send: SendReport,
): Promise<readonly MovedObstacle[]> {
  const path = lockedPlanPath(mission.plan.plan_id);
  const there = await ports.evidence.read(path);
  if (there.ok && there.value?.sha256 === mission.plan_sha256) return [];
  const locked = await readLockedPlan(mission, ports);
  if (!locked) return []; // gone everywhere: verification reports it
  const moved = await clearWay(path, mission, ports, send);
  written(await ports.evidence.write(path, locked));
  return moved;
}
