import { createEvidenceFiles } from '../../adapters/evidence/files';
import { createHandoffFiles } from '../../adapters/handoff/files';
import { openNodeViewer } from '../../adapters/nodeViewer';
import { done, type Outcome } from '../../base/outcome';
import type { MissionSources } from '../../engine/mission/carried';
import { MissionReader } from '../../engine/views/reader';

/** Reads the missions of a workspace, which may have no journal yet. */
export async function withMissions<T>(
  workspaceDir: string,
  work: (known: MissionSources) => Promise<T>,
): Promise<Outcome<T>> {
  const viewer = await openNodeViewer({ workspaceDir, journal: { kind: 'in_process' } });
  if (!viewer.ok) return viewer;
  try {
    const journal = viewer.value?.journal ?? null;
    const missions = journal ? (await new MissionReader(journal).read()).missions.map(({ mission }) => mission) : [];
    const evidence = createEvidenceFiles({ workspaceRoot: workspaceDir });
    return done(await work({ missions, ports: { journal, evidence, handoffs: createHandoffFiles(workspaceDir) } }));
  } finally {
    await viewer.value?.close();
  }
}
