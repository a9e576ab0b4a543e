import assert from 'node:assert/strict';
import { cp, mkdir, readFile, readdir, rename, rm, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { createEvidenceFiles } from '../../../src/adapters/evidence/files';
import type { EvidenceFinding } from '../../../src/contracts/vocabulary/codes/evidenceFindings';
import type { JournalFacts } from '../../../src/core/verify/facts';
import { sealHeader, sha256Of } from '../../../src/adapters/files/bytes/sha256';
import { verifyEvidence, type EvidenceVerdict } from '../../../src/engine/evidence/verify';
import { evidenceReader } from '../../../src/adapters/evidence/reader';
import { evidenceFolder, evidenceSample, missionId, must, planId } from './sample';
import { removeScratch } from '../scratch';

const second = 'P1-20260103T030405Z-def456';

/** A plan that was executed twice: the second execution moved the evidence of the first to the archive. */
async function executedTwice(): Promise<{
  readonly root: string;
  readonly journal: JournalFacts;
  readonly at: (name: string) => string;
  readonly verify: (archived?: JournalFacts | null, executions?: readonly string[]) => Promise<EvidenceVerdict>;
}> {
  const first = await evidenceSample();
  const header_sha256 = sha256Of(await readFile(first.file('EXECUTION_HEADER.json')));
  must(await createEvidenceFiles({ workspaceRoot: first.root }).archive(planId, missionId));
  const later = await evidenceSample({
    header: (facts) => ({ ...facts, mission_id: second, archived: { mission_id: missionId, header_sha256 } }),
    task: (facts) => ({ ...facts, mission_id: second }),
  });
  await cp(path.join(later.root, evidenceFolder), path.join(first.root, evidenceFolder), { recursive: true });
  return {
    root: first.root,
    journal: first.journal,
    at: (name) => path.join(first.root, evidenceFolder, 'archive', missionId, name),
    verify: (archived = null, executions = []) =>
      verifyEvidence(evidenceReader(first.root, planId), null, {
        of: (id) => Promise.resolve(id === missionId ? archived : null),
        executions,
      }),
  };
}

const inArchive = ({ findings }: EvidenceVerdict): readonly EvidenceFinding[] =>
  findings.filter(({ file }) => file.startsWith(`archive/${missionId}`));

describe('evidence verify, archived executions', () => {
  afterEach(removeScratch);

  it('verifies archives, with and without the journal, whatever happened to plan and outputs since', async () => {
    const { root, journal, verify } = await executedTwice();
    await writeFile(path.join(root, 'src/T1.txt'), 'another run wrote this');
    for (const archived of [null, journal]) {
      const verdict = await verify(archived);
      assert.deepEqual([verdict.valid, inArchive(verdict)], [true, []]);
    }
  });

  it('finds a changed byte, a missing file, an extra file and a link, and names the mission', async () => {
    const { root, at, verify } = await executedTwice();
    const names = await readdir(at('.'));
    assert.equal(names.length, 5);
    for (const name of names) {
      const good = await readFile(at(name));
      const bad = Buffer.from(good);
      bad[good.length >> 1] = (bad[good.length >> 1] ?? 0) ^ 0x01;
      for (const change of [() => writeFile(at(name), bad), () => rm(at(name))]) {
        await change();
        const verdict = await verify();
        assert.deepEqual([verdict.valid, inArchive(verdict).length > 0], [false, true], name);
        await writeFile(at(name), good);
      }
      await writeFile(path.join(root, 'elsewhere'), good);
      await rm(at(name));
      await symlink(path.join(root, 'elsewhere'), at(name));
      assert.ok(
        inArchive(await verify()).some(({ code }) => code === 'EVIDENCE_LINKED'),
        name,
      );
      await rm(at(name));
      await writeFile(at(name), good);
    }
    assert.equal((await verify()).valid, true);
    await writeFile(at('TASK_T9.json'), '{}');
    assert.ok(inArchive(await verify()).some(({ code }) => code === 'TASK_FILE_UNEXPECTED'));
    await rm(at('TASK_T9.json'));
    await writeFile(at('notes.txt'), 'mine');
    assert.deepEqual(
      inArchive(await verify()).map(({ code, severity }) => [code, severity]),
      [['FILE_UNEXPECTED', 'warning']],
    );
  });

  it('finds an archive that was sealed anew: the next header and the journal name another digest', async () => {
    const { at, journal, verify } = await executedTwice();
    const header = JSON.parse(await readFile(at('EXECUTION_HEADER.json'), 'utf8')) as object;
    const forged = { ...header, approved_by: 'Eve', header_sha256: '0'.repeat(64) };
    await writeFile(at('EXECUTION_HEADER.json'), sealHeader(`${JSON.stringify(forged, null, 2)}\n`) ?? '');
    const codes = async (archived: JournalFacts | null): Promise<readonly string[]> =>
      inArchive(await verify(archived)).map(({ code }) => code);
    assert.deepEqual(await codes(null), ['ARCHIVE_DISAGREES']);
    assert.deepEqual(await codes(journal), ['JOURNAL_DISAGREES', 'ARCHIVE_DISAGREES']);
  });

  it('finds an archived execution that is gone, renamed, a file or a link', async () => {
    const { root, at, verify } = await executedTwice();
    const folder = at('.');
    const kept = path.join(root, 'kept');
    await rename(folder, kept);
    const codes = async (): Promise<readonly string[]> =>
      (await verify()).findings.filter(({ file }) => file.startsWith('archive')).map(({ code }) => code);
    assert.deepEqual(await codes(), ['ARCHIVE_DISAGREES']);
    await symlink(kept, folder);
    assert.deepEqual(await codes(), ['EVIDENCE_LINKED', 'ARCHIVE_DISAGREES']);
    await rm(folder);
    await writeFile(folder, '');
    assert.deepEqual(await codes(), ['FILE_UNEXPECTED', 'ARCHIVE_DISAGREES']);
    await rm(folder);
    await rename(kept, `${folder}-renamed`);
    assert.deepEqual(await codes(), ['HEADER_INVALID', 'ARCHIVE_DISAGREES']);
    await mkdir(folder);
    assert.deepEqual(await codes(), ['EVIDENCE_MISSING', 'HEADER_INVALID', 'ARCHIVE_DISAGREES']);
  });

  it('finds an earlier header in place of the last one, because the journal names the last one', async () => {
    const { root, verify } = await executedTwice();
    assert.equal((await verify(null, [second, missionId])).valid, true);
    const folder = path.join(root, evidenceFolder);
    const kept = path.join(root, 'kept');
    await rename(folder, kept);
    await rename(path.join(kept, 'archive', missionId), folder);
    const codes = async (...executions: string[]): Promise<readonly string[]> =>
      (await verify(null, executions)).findings.map(({ code }) => code).filter((code) => code !== 'JOURNAL_ABSENT');
    assert.deepEqual(await codes(), []);
    assert.deepEqual(await codes(second, missionId), ['JOURNAL_DISAGREES']);
    // A person moved an older one away, as a refusal advises: a finding names it, and what is there holds.
    assert.deepEqual(await codes(missionId, 'P1-20250103T030405Z-older0'), ['EXECUTION_ABSENT']);
    assert.equal((await verify(null, [missionId, 'P1-20250103T030405Z-older0'])).valid, true);
  });

  it('says when only the archive itself names an execution, and looks at every file in its folder', async () => {
    const { at, verify } = await executedTwice();
    const invented = 'P1-20250103T030405Z-forged';
    const made = await evidenceSample({
      header: (facts) => ({ ...facts, mission_id: invented }),
      task: (facts) => ({ ...facts, mission_id: invented }),
    });
    await cp(path.join(made.root, evidenceFolder), path.join(at('..'), invented), { recursive: true });
    const added = async (): Promise<readonly string[]> =>
      (await verify()).findings.flatMap(({ code, file }) => (file.startsWith('archive/') ? [`${code} ${file}`] : []));
    assert.deepEqual(await added(), [`EXECUTION_UNCONFIRMED archive/${invented}`]);
    await rm(path.join(at('..'), invented), { recursive: true });
    await mkdir(at('archive'));
    assert.deepEqual(await added(), [`EVIDENCE_LINKED archive/${missionId}/archive`]);
  });

  it('finds an archived execution that had not ended', async () => {
    const { at, verify } = await executedTwice();
    const header = JSON.parse(await readFile(at('EXECUTION_HEADER.json'), 'utf8')) as object;
    const open = { ...header, state: 'LOCKED', outcome: null, ended_at_utc: null, header_sha256: '0'.repeat(64) };
    await writeFile(at('EXECUTION_HEADER.json'), sealHeader(`${JSON.stringify(open, null, 2)}\n`) ?? '');
    assert.ok(inArchive(await verify()).some(({ message }) => message === 'Archived in state LOCKED.'));
  });

  it('follows each archived header to the one before it, and follows no link in place of the archive', async () => {
    const { at, verify } = await executedTwice();
    const older = 'P1-20250103T030405Z-older0';
    const header = JSON.parse(await readFile(at('EXECUTION_HEADER.json'), 'utf8')) as object;
    const archived = { mission_id: older, header_sha256: null };
    const told = { archived, ...header, header_sha256: '0'.repeat(64) };
    await writeFile(at('EXECUTION_HEADER.json'), sealHeader(`${JSON.stringify(told, null, 2)}\n`) ?? '');
    const found = async (file: string): Promise<readonly string[]> =>
      (await verify()).findings.flatMap((finding) => (finding.file === file ? [finding.code] : []));
    assert.deepEqual(await found(`archive/${older}`), ['ARCHIVE_DISAGREES']);
    const kept = path.join(at('..'), '../../kept');
    await rename(at('..'), kept);
    await symlink(kept, at('..'));
    assert.deepEqual(await found('archive'), ['EVIDENCE_LINKED']);
  });
});
