import assert from 'node:assert/strict';
import { chmod } from 'node:fs/promises';
import path from 'node:path';
import { evidenceReader } from '../../../src/adapters/evidence/reader';
import { verifyEvidence } from '../../../src/engine/evidence/verify';
import { removeScratch } from '../scratch';
import { evidenceFolder, evidenceSample, planId } from './sample';

describe('evidence that this user may not read', () => {
  after(removeScratch);

  it('names the permission where this user may not read the folder', async function () {
    if (process.platform === 'win32') return this.skip();
    const sample = await evidenceSample();
    const folder = path.join(sample.root, evidenceFolder);
    await chmod(sample.root, 0o755);
    await chmod(folder, 0o000);
    // Permissions hold back no root.
    const isRoot = process.geteuid?.() === 0;
    if (isRoot) process.seteuid?.(65_534);
    const { findings } = await verifyEvidence(evidenceReader(sample.root, planId), null).finally(() => {
      if (isRoot) process.seteuid?.(0);
    });
    await chmod(folder, 0o755);
    const [first] = findings;
    assert.deepEqual(
      [first?.code, first?.file, first?.message],
      ['EVIDENCE_UNREADABLE', '', 'This user has no permission to read docs/ops/executions/P1 (EACCES).'],
    );
    assert.match(first?.next ?? '', /permission to read it.*chmod/);
  });
});
