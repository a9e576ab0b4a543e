import assert from 'node:assert/strict';
import { setTimeout as pause } from 'node:timers/promises';
import { executionsDir } from '../../../src/contracts/vocabulary/files/evidenceFiles';
import type { EnginePorts } from '../../../src/engine/ports/engine';
import { startRealMission, type RealMission } from '../realMission';

/** What lanes do in the repository beside each other, with each step made long enough to meet the others. */
describe('lanes take turns', () => {
  let mission: RealMission | undefined;
  afterEach(async () => {
    await mission?.dispose();
    mission = undefined;
  });

  it('no lane looks at the workspace while evidence is written into it', async () => {
    const under = new Set<string>();
    const met: string[] = [];
    let looks = 0;
    const during = async <T>(what: string, others: RegExp, ms: number, work: () => Promise<T>): Promise<T> => {
      const look = `${what}#${(looks += 1)}`;
      for (const other of under) if (others.test(other)) met.push(`${look} beside ${other}`);
      under.add(look);
      try {
        const answer = await work();
        await pause(ms);
        return answer;
      } finally {
        under.delete(look);
      }
    };
    const slow = ({ workspace, evidence }: EnginePorts): Partial<EnginePorts> => ({
      workspace: {
        ...workspace,
        standing: (paths) => workspace.standing(paths),
        links: (paths) => workspace.links(paths),
        head: () => workspace.head(),
        baseline: (request) => during('baseline', /^evidence/, 250, () => workspace.baseline(request)),
        difference: (request) => during('difference', /^evidence/, 40, () => workspace.difference(request)),
      },
      evidence: {
        ...evidence,
        write: (file, content) =>
          file.startsWith(`${executionsDir}/`) && file.includes('/TASK_')
            ? during('evidence', /^(baseline|difference)/, 40, () => evidence.write(file, content))
            : evidence.write(file, content),
      },
    });
    const write = (file: string): string =>
      `require('node:fs').mkdirSync('src/${file}', { recursive: true }); require('node:fs').writeFileSync('src/${file}/x', '${file}')`;
    const tasks = ['A', 'B', 'C', 'D', 'E', 'F', 'G', 'H', 'I', 'J'].map((task_id) => ({
      task_id,
      paths: [`src/${task_id}/`],
      command: [process.execPath, '-e', write(task_id)],
    }));
    mission = await startRealMission(tasks, slow, { mode: 'parallel', max_parallel: 4 });
    await mission.engine.settled();
    assert.equal(mission.engine.halt, null);
    assert.equal(mission.engine.mission?.ending?.outcome, 'COMPLETED', mission.engine.mission?.ending?.reason);
    assert.deepEqual(met, []);
    assert.equal(looks, 3 * tasks.length);
  });
});
