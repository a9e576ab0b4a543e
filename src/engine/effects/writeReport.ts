import { headerDocument } from '../../core/evidence/header';
import { headerPath, lockedPlanPath, summaryPath } from '../../core/evidence/places';
import { summaryMarkdown } from '../../core/evidence/summary';
import { headerFacts, taskFacts } from '../../core/mission/documents';
import type { MovedObstacle } from '../../core/model/facts';
import type { Report } from '../../core/model/inputs';
import type { Mission } from '../../core/model/state';
import type { EngineOptions } from '../ports/context';
import type { EnginePorts } from '../ports/engine';
import { readLockedPlan } from './planHash';
import { clearWay, written, type Tell } from './written';

/** Writes the summary, then the final header with the digests of everything else: the header is last. */
export async function writeReport(
  mission: Mission,
  ports: EnginePorts,
  options: EngineOptions,
  tell: Tell,
): Promise<Report> {
  const planId = mission.plan.plan_id;
  const at = ports.clock.now();
  const moved = [
    ...(await keepLockedPlan(mission, ports, tell)),
    ...(await clearWay(summaryPath(planId), mission, ports, tell)),
    ...(await clearWay(headerPath(planId), mission, ports, tell)),
  ];
  const told = { ...mission, moved_aside: [...mission.moved_aside, ...moved] };
  const before = headerFacts(told, { summary_sha256: null, identity: options.identity, at });
  const tasks = mission.rows.map((row) => taskFacts(mission, row, ports.paths.places));
  const summary = written(
    await ports.evidence.writeMarkdown(summaryPath(planId), summaryMarkdown({ header: before, tasks })),
  );
  const header = written(
    await ports.evidence.write(headerPath(planId), headerDocument({ ...before, summary_sha256: summary.sha256 })),
  );
  return { type: 'ReportWasWritten', header_sha256: header.sha256, summary_sha256: summary.sha256 };
}

/** The approved bytes belong to the evidence, whoever removed or changed them meanwhile; that is told as a violation. */
async function keepLockedPlan(mission: Mission, ports: EnginePorts, tell: Tell): Promise<readonly MovedObstacle[]> {
  const path = lockedPlanPath(mission.plan.plan_id);
  const there = await ports.evidence.read(path);
  if (there.ok && there.value?.sha256 === mission.plan_sha256) return [];
  const locked = await readLockedPlan(mission, ports);
  if (!locked) return []; // then nobody has them any more, and the verification says so
  const moved = await clearWay(path, mission, ports, tell);
  written(await ports.evidence.write(path, locked));
  return moved;
}
