import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { claimedFolders, removeClaim, writeClaim } from '../../../src/adapters/state/claim';
import { launchTimes } from '../../../src/engine/ports/engine';
import { MissionHost } from '../../../src/engine/owner/host';
import { openRealPorts } from '../../support/realPorts';

const ada = { kind: 'human', name: 'ada' } as const;

describe('engine: a folder whose journal belongs to a claim of a fleet', () => {
  let dir: string;
  beforeEach(async () => (dir = await mkdtemp(path.join(tmpdir(), 'mission-claimed-'))));
  afterEach(() => rm(dir, { recursive: true, force: true }));

  /** Codes by which an owner of the folder refuses each way to run something there. */
  async function codes(): Promise<readonly string[]> {
    const opened = await openRealPorts(dir);
    const { ports } = opened;
    const host = await MissionHost.acquire(ports, { tool_version: '0.0.0-test', ...launchTimes }, ada);
    assert(host.ok);
    const asked = {
      actor: ada,
      default_worker: 'claude',
      require_approval_record: false,
    } as const;
    const ask = (
      command: { readonly type: 'ResumeMission' } | { readonly type: 'ExportHandoff'; readonly move: false },
    ) =>
      host.value.command({
        ...{
          id: randomUUID(),
          mission_id: 'm',
          command,
          actor: ada,
          reason: 'r',
        },
        ...{ expected_seq: null, from_worker: false },
      });
    try {
      const taken = await host.value.take('m');
      const started = await host.value.start({
        ...asked,
        plan_path: path.join(dir, 'docs/plans/PLAN_m.json'),
      });
      const folder = path.join(dir, 'handoff');
      const resumed = await host.value.resumeHandoff({
        ...asked,
        folder,
        reason: 'r',
        apply_diff: false,
      });
      const [resume, copy] = [await ask({ type: 'ResumeMission' }), await ask({ type: 'ExportHandoff', move: false })];
      return [
        taken.ok ? 'taken' : taken.refusal.code,
        started.kind === 'refused' ? started.refusal.code : started.kind,
        resumed.kind === 'refused' ? resumed.refusal.code : resumed.kind,
        resume.code,
        copy.code,
      ];
    } finally {
      await host.value.release();
      await opened.close();
    }
  }

  it('runs nothing, and exports', async () => {
    const held = ['FLEET_CLAIMED', 'FLEET_CLAIMED', 'FLEET_CLAIMED', 'FLEET_CLAIMED', 'MISSION_UNKNOWN'];
    assert((await writeClaim(dir, randomUUID(), `${randomUUID()}:1`)).ok);
    assert.deepEqual(await codes(), held);
    assert.equal((await claimedFolders(path.dirname(dir))).length, 1);
    // The database is asked by its two parts.
    assert((await writeClaim(dir, randomUUID(), 'r')).ok);
    assert.deepEqual(await claimedFolders(path.dirname(dir)), []);
    // A claim that cannot be read may be true.
    await writeFile(path.join(dir, '.mission-control/claim.json'), '{');
    assert.deepEqual(await codes(), held);
    assert.deepEqual(await claimedFolders(path.dirname(dir)), []);
    await removeClaim(dir);
    assert(!(await codes()).includes('FLEET_CLAIMED'));
  });
});
