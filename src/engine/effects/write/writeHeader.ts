import { headerDocument } from '../../evidence/headerDocument';
import { archivedHeaderPath, headerPath, lockedPlanPath } from '../../../core/evidence/places';
import { executionHeader } from '../../../core/mission/documents';
import type { Report } from '../../../core/model/inputs';
import { lookAtFileSystem } from '../observe/fileSystem';
import { lockedBytes } from '../launch/planHash';
import { clearWay, put, written } from './written';
import type { EffectRun } from '../run/effectRun';

/** Archives an earlier execution once the journal names it, then writes the locked bytes and the header. */
export async function writeHeader({ mission, ports, options, send }: EffectRun<'writeHeader'>): Promise<Report> {
  const planId = mission.plan.plan_id;
  const existing = await ports.evidence.existing(planId);
  const earlier =
    existing.kind === 'present' && existing.mission_id !== mission.mission_id ? existing.mission_id : null;
  if (earlier !== null && earlier !== mission.archived?.mission_id) {
    const header_sha256 = written(await ports.evidence.read(headerPath(planId)))?.sha256 ?? null;
    return { type: 'EarlierEvidenceWasFound', mission_id: earlier, header_sha256 };
  }
  if (earlier !== null) {
    await clearWay(archivedHeaderPath(planId, earlier), mission, ports, send);
    written(await ports.evidence.archive(planId, earlier));
  }
  await put(lockedPlanPath(planId), await lockedBytes(mission, ports), mission, ports, send);
  const header = executionHeader(mission, { summary_sha256: null, identity: options.identity, at: ports.clock.now() });
  await put(headerPath(planId), headerDocument(header), mission, ports, send);
  return { type: 'HeaderWasWritten', file_system: await lookAtFileSystem(mission, ports) };
}
