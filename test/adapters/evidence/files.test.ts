import assert from 'node:assert/strict';
import { mkdir, readFile, readdir, stat, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { createEvidenceFiles, redactDocument } from '../../../src/adapters/evidence/files';
import { sealHolds, sha256Of } from '../../../src/adapters/files/bytes/sha256';
import { lineEndsHint } from '../../../src/contracts/vocabulary/files/evidenceFiles';
import { headerDocument } from '../../../src/engine/effects/write/writeDocuments';
import { documentText } from '../../../src/base/json';
import { sampleHeader, sampleTask } from '../../core/evidence/sampleFacts';
import { evidenceFolder, missionId, must, planId, put } from './sample';
import { removeScratch, scratch } from '../scratch';

const secret = `sk-ant-api03-${'a1B2'.repeat(20)}`;
const headerFile = `${evidenceFolder}/EXECUTION_HEADER.json`;

describe('evidence files', () => {
  afterEach(removeScratch);

  it('writes text redacted and answers with the digest of the bytes on disk', async () => {
    const root = await scratch();
    const files = createEvidenceFiles({ workspaceRoot: root });
    const written = must(
      await files.write(
        `${evidenceFolder}/TASK_T1.json`,
        documentText(sampleTask({ end_notes: `key ${secret}`, reason: `key ${secret}` })),
      ),
    );
    const bytes = await readFile(path.join(root, written.path));
    assert.equal(written.sha256, sha256Of(bytes));
    assert.match(written.sha256, /^[0-9A-F]{64}$/);
    assert.equal(bytes.includes(secret), false);
    assert.equal(written.redactions, 2); // end_notes and reason
    assert.equal((JSON.parse(bytes.toString()) as { task_id: string }).task_id, 'T1');
    const { explained, ...document } = must(await files.read(written.path)) ?? {};
    assert.deepEqual(document, { text: bytes.toString(), sha256: written.sha256, sealed: null });
    assert.equal(explained?.(sha256Of(Buffer.from(bytes.toString().replaceAll('\n', '\r\n')))), lineEndsHint);
    assert.equal(explained('0'.repeat(64)), null);
  });

  it('leaves digests, tokens counts and times of our own documents alone', async () => {
    const files = createEvidenceFiles({ workspaceRoot: await scratch() });
    assert.equal(must(await files.write(`${evidenceFolder}/TASK_T1.json`, documentText(sampleTask()))).redactions, 0);
    assert.equal(must(await files.write(headerFile, headerDocument(sampleHeader()))).redactions, 0);
  });

  it('writes bytes as they are', async () => {
    const root = await scratch();
    const bytes = Buffer.from(`\uFEFF{"note":"${secret}"}\r\n`);
    const written = must(
      await createEvidenceFiles({ workspaceRoot: root }).write(`${evidenceFolder}/PLAN.locked.json`, bytes),
    );
    assert.deepEqual(await readFile(path.join(root, written.path)), bytes);
  });

  it('removes the half-written file that a killed owner left, and nothing else', async () => {
    const root = await scratch();
    const half = (name: string): string => `${evidenceFolder}/.${name}.0123456789abcdef.tmp`;
    const others = [half('TASK_T1.json.bak'), half('TASK_T2.json'), `${evidenceFolder}/.TASK_T1.json.tmp`];
    for (const file of [half('TASK_T1.json'), ...others]) await put(root, file, 'half');
    must(await createEvidenceFiles({ workspaceRoot: root }).write(`${evidenceFolder}/TASK_T1.json`, '{}'));
    const names = await readdir(path.join(root, evidenceFolder));
    assert.deepEqual(names.sort(), [...others.map((file) => path.basename(file)), 'TASK_T1.json'].sort());
  });

  it('writes beside folders that are named like its half-written files, and leaves them', async () => {
    const root = await scratch();
    const folders = ['a', 'b'].map((digit) => `${evidenceFolder}/.TASK_T1.json.${digit.repeat(16)}.tmp`);
    await mkdir(path.join(root, folders[0] ?? ''), { recursive: true });
    await put(root, `${folders[1] ?? ''}/mine.txt`, 'mine');
    must(await createEvidenceFiles({ workspaceRoot: root }).write(`${evidenceFolder}/TASK_T1.json`, '{}'));
    const names = await readdir(path.join(root, evidenceFolder));
    assert.deepEqual(names.sort(), [...folders.map((folder) => path.basename(folder)), 'TASK_T1.json'].sort());
    assert.equal(await readFile(path.join(root, folders[1] ?? '', 'mine.txt'), 'utf8'), 'mine');
  });

  it('keeps JSON readable where redaction would cut through it', () => {
    const redact = (text: string): { text: string; redactions: number } => {
      const parts = text.split(/SECRET"?/);
      return { text: parts.join('[redacted]'), redactions: parts.length - 1 };
    };
    const { text, redactions } = redactDocument('a.json', '{"a":"SECRET","b":1}', redact);
    assert.deepEqual([JSON.parse(text), redactions], [{ a: '[redacted]', b: 1 }, 1]);
  });

  it('seals a header and notices when the seal does not hold', async () => {
    const root = await scratch();
    const files = createEvidenceFiles({ workspaceRoot: root });
    const written = must(
      await files.write(headerFile, headerDocument(sampleHeader({ reason: '"header_sha256": "x"' }))),
    );
    assert.equal(must(await files.read(headerFile))?.sealed, true);
    const bytes = await readFile(path.join(root, written.path));
    assert.equal(sealHolds(Buffer.from(bytes.toString().replace('COMPLETED', 'COMPLETEd'))), false);
    assert.equal(sealHolds(Buffer.from(bytes.toString().replace(/\n$/, ''))), false);
    assert.equal(sealHolds(Buffer.from('{"plan_id":"P"}')), null);
    const refused = await files.write(headerFile, '{}\n');
    assert.equal(refused.ok ? '' : refused.refusal.code, 'EVIDENCE_INVALID');
  });

  it('writes mission files that only this user can read', async function () {
    if (process.platform === 'win32') this.skip();
    const root = await scratch();
    const written = must(
      await createEvidenceFiles({ workspaceRoot: root }).write(
        '.mission-control/missions/M/recovery-packets/x.md',
        'x',
      ),
    );
    assert.equal((await stat(path.join(root, written.path))).mode & 0o777, 0o600);
    assert.equal((await stat(path.join(root, '.mission-control/missions/M'))).mode & 0o777, 0o700);
  });

  for (const relative of [
    '../x',
    '/etc/x',
    `${evidenceFolder}/../../../../x`,
    'docs/plans/PLAN_x.json',
    'src/a.txt',
    `${evidenceFolder}//x`,
    `${evidenceFolder}/a\\..\\b`,
    '.mission-control/state.db',
    `${evidenceFolder}/a\0b`,
    'C:/x',
  ]) {
    it(`refuses to write ${JSON.stringify(relative)}`, async () => {
      const root = path.join(await scratch(), 'ws');
      await mkdir(root);
      const files = createEvidenceFiles({ workspaceRoot: root });
      const written = await files.write(relative, 'x');
      assert.equal(written.ok ? '' : written.refusal.code, 'EVIDENCE_FOREIGN');
      const read = await files.read(relative);
      assert.equal(read.ok ? '' : read.refusal.code, 'EVIDENCE_FOREIGN');
      assert.equal(await files.exists(relative), false);
      assert.deepEqual([await readdir(root), await readdir(path.dirname(root))], [[], ['ws']]);
    });
  }

  for (const link of ['docs', 'docs/ops/executions', evidenceFolder, headerFile, `${evidenceFolder}/archive`]) {
    it(`refuses a symbolic link at ${link}`, async () => {
      const root = await scratch();
      const outside = await scratch();
      await put(root, `${path.dirname(link)}/.keep`, '');
      await put(outside, 'x/EXECUTION_HEADER.json', '{}');
      await symlink(
        link === headerFile ? path.join(outside, 'x/EXECUTION_HEADER.json') : outside,
        path.join(root, link),
      );
      const files = createEvidenceFiles({ workspaceRoot: root });
      const target = link.endsWith('archive') ? `${link}/x.json` : headerFile;
      const written = await files.write(target, headerDocument(sampleHeader()));
      assert.equal(written.ok ? '' : written.refusal.code, 'EVIDENCE_FOREIGN');
      assert.deepEqual(await readdir(outside), ['x']);
      if (!link.endsWith('archive')) {
        const existing = await files.existing(planId);
        assert.deepEqual([existing.kind, existing.kind === 'present' && existing.readable], ['present', false]);
      }
    });
  }

  it('works in a workspace that is itself reached through a link', async () => {
    const real = await scratch();
    const link = path.join(await scratch(), 'ws');
    await symlink(real, link);
    must(await createEvidenceFiles({ workspaceRoot: link }).write(`${evidenceFolder}/TASK_T1.json`, '{}\n'));
    assert.ok(await readFile(path.join(real, evidenceFolder, 'TASK_T1.json')));
  });

  it('names what an earlier execution left', async () => {
    const root = await scratch();
    const files = createEvidenceFiles({ workspaceRoot: root });
    assert.deepEqual(await files.existing(planId), { kind: 'none' });
    await put(root, `${evidenceFolder}/PLAN.locked.json`, '{}');
    await put(root, `${evidenceFolder}/archive/old/EXECUTION_HEADER.json`, '{}');
    assert.deepEqual(await files.existing(planId), { kind: 'none' });
    await put(root, `${evidenceFolder}/TASK_T1.json`, '{}');
    assert.deepEqual(await files.existing(planId), {
      kind: 'present',
      mission_id: null,
      plan_sha256: null,
      state: null,
      code: null,
      readable: false,
    });
    must(await files.write(headerFile, headerDocument(sampleHeader())));
    assert.deepEqual(await files.existing(planId), {
      kind: 'present',
      mission_id: missionId,
      plan_sha256: '0'.repeat(64),
      state: 'REPORTED',
      code: null,
      readable: true,
    });
    await writeFile(path.join(root, headerFile), '{"mission_id":"M","code":"MOVED"}');
    const moved = await files.existing(planId);
    assert.equal(moved.kind === 'present' && moved.code, 'MOVED');
    // The last one would be archived outside of its folder.
    for (const content of ['', '[]', 'null', '{"mission_id":"../../evil"}']) {
      await writeFile(path.join(root, headerFile), content);
      const existing = await files.existing(planId);
      assert.equal(existing.kind === 'present' && existing.readable, false);
    }
    assert.equal((await files.existing('../..')).kind, 'present');
  });

  it('archives earlier evidence, finishes what a crash left, and overwrites nothing', async () => {
    const root = await scratch();
    const files = createEvidenceFiles({ workspaceRoot: root });
    for (const name of ['EXECUTION_HEADER.json', 'TASK_T1.json', 'PLAN.locked.json'])
      await put(root, `${evidenceFolder}/${name}`, name);
    // As after a crash: one file has been moved already.
    await put(root, `${evidenceFolder}/archive/${missionId}/EXECUTION_SUMMARY.md`, 'moved before');
    assert.equal(must(await files.archive(planId, missionId)), null);
    assert.deepEqual(await readdir(path.join(root, evidenceFolder)), ['archive']);
    assert.equal((await readdir(path.join(root, evidenceFolder, 'archive', missionId))).length, 4);
    must(await files.archive(planId, missionId));
    await put(root, `${evidenceFolder}/TASK_T1.json`, 'new');
    const again = await files.archive(planId, missionId);
    assert.equal(again.ok ? '' : again.refusal.code, 'EVIDENCE_UNWRITABLE');
    assert.equal(
      await readFile(path.join(root, evidenceFolder, 'archive', missionId, 'TASK_T1.json'), 'utf8'),
      'TASK_T1.json',
    );
    for (const [plan, mission] of [
      ['..', missionId],
      [planId, '../x'],
      [planId, ''],
    ] as const) {
      const refused = await files.archive(plan, mission);
      assert.equal(refused.ok ? '' : refused.refusal.code, 'EVIDENCE_FOREIGN');
    }
  });
});
