import assert from 'node:assert/strict';
import { evidenceDir } from '../../../src/core/evidence/places';
import { validateAssignment } from '../../../src/core/freshContext/assignment';
import { validateResult } from '../../../src/core/freshContext/result';
import { attributed } from '../../support/attribution';
import { validateLedger, validateLocks } from '../../support/verdicts';
import { lockPath } from '../../../src/core/locks/lockPath';
import { claimDifferences } from '../../../src/core/observation/claim';
import { judgeLiveChange } from '../../../src/core/observation/liveScope';
import { caseSensitive, inScope } from '../../../src/core/paths/compare';
import { readClaimedPath } from '../../../src/core/paths/namedPath';
import { reservedFolderOf } from '../../../src/core/paths/reserved';
import { readPlace, readWrittenPath } from '../../../src/core/paths/writtenPath';
import type { Finding } from '../../../src/core/documents/finding';
import { isId } from '../../../src/core/plan/rules/identity';
import { judgeScope } from '../../../src/core/plan/rules/scope';
import { packetFindings } from '../../../src/core/packets/rules';
import { documentedPacket } from '../../contracts/recoveryPacketSample';
import { sampleAssignment, sampleResult } from '../freshContext/samples';
import { oddPaths } from './oddPaths';

const shaped = (value: unknown) => ({ value, shape: [] });
const at = (findings: readonly Finding[], pointer: string): readonly string[] =>
  findings.filter((finding) => finding.pointer === pointer && finding.severity === 'error').map(({ code }) => code);

/** What the rules of a plan say of one approved path. */
function planCodes(path: string, forbidden: readonly string[] = []): readonly string[] {
  const codes: string[] = [];
  const task = { paths: [path], forbidden_paths: [...forbidden] };
  judgeScope({ scope: { allowed: ['x'] }, tasks: [task] }, [[task, 0, '/tasks/0']], (code) => codes.push(code));
  return codes;
}

/** Who reads resources as the contract of locks has it. */
const lockJudges: Readonly<Record<string, (path: string) => boolean>> = {
  lockPath: (path) => lockPath(path).ok,
  'a document of locks': (path) =>
    at(
      validateLocks(shaped({ active_locks: [{ task_id: 'T', resource: path, active: true }] })).details.findings,
      '/active_locks/0/resource',
    ).length === 0,
  'an assignment': (path) => {
    const assignment = sampleAssignment();
    const value = { ...assignment, task: { ...assignment.task, lock_scope: [path], forbidden_scope: [] } };
    return at(validateAssignment(shaped(value)).details.findings, '/task/lock_scope/0').length === 0;
  },
  'the ledger of a handoff': (path) => {
    const row = { task_id: 'T', title: 'T', status: 'in_progress', owner: 'o', lock_scope: [path], dependencies: [] };
    const value = { run_id: 'r', ledger: [row], active_locks: [{ task_id: 'T', resource: path, active: true }] };
    return !validateLedger(shaped(value)).details.findings.some(({ pointer }) => /lock_scope|resource/.test(pointer));
  },
};

/** Who says where a task may write, of a name that exists, with everything approved. */
const writeJudges: Readonly<Record<string, (path: string) => boolean>> = {
  'the scope gate': (path) => inScope(path, ['.']),
  'the observation': (path) => {
    const facts = { before_sha256: null, after_sha256: 'A', resolved_path: null, detail: null };
    const changed_at = '2026-01-01T00:00:01.000Z';
    const { verdict } = attributed({
      changes: [{ path, kind: 'added', changed_at, ...facts }],
      paths: ['.'],
      forbidden_paths: [],
      worker_started_at: '2026-01-01T00:00:00.000Z',
      worker_ended_at: '2026-01-01T00:00:02.000Z',
      external_saves: [],
    });
    return verdict.kind === 'clean';
  },
  'the early look': (path) =>
    judgeLiveChange(`/w/${path}`, {
      ...{ roots: ['/w'], form: 'posix', comparison: caseSensitive },
      ...{ paths: ['.'], forbidden_paths: [], granted: [] },
    }).kind === 'inside',
  'the result packet': (path) => {
    const assignment = sampleAssignment();
    const context = {
      assignment: { ...assignment, task: { ...assignment.task, lock_scope: ['.'], forbidden_scope: [] } },
    };
    const value = { ...sampleResult(), changes: [{ resource: path, action: 'created', evidence: 'x' }] };
    return at(validateResult(shaped(value), context).details.findings, '/changes/0/resource').length === 0;
  },
};

describe('every judge of paths', () => {
  it('judges hundreds of odd paths', () => {
    assert.ok(oddPaths.length > 900, String(oddPaths.length));
  });

  it('reads what is written as plans are read; locks with the tolerance of their contract and no other', () => {
    const tolerated: string[] = [];
    for (const text of oddPaths) {
      const strict = readWrittenPath(text);
      const reserved = strict.ok && reservedFolderOf(strict.path) !== null;
      assert.deepEqual(planCodes(text), strict.ok ? (reserved ? ['PATH_RESERVED'] : []) : ['PATH_INVALID'], show(text));
      assert.equal(planCodes('ok', [text]).length === 0, strict.ok, `forbidden ${show(text)}`);
      // White space around it, backslashes, and two spellings of the root: nothing else is different.
      const read = text.trim().replaceAll('\\', '/');
      const isRoot = read !== '' && !read.includes('..') && read.replace(/[./]/g, '') === '';
      const expected = isRoot ? { ok: true as const, path: '.' } : readWrittenPath(read);
      const lock = lockPath(text);
      assert.equal(lock.ok, expected.ok, show(text));
      if (lock.ok && expected.ok) assert.equal(lock.path, expected.path, show(text));
      for (const [name, judge] of Object.entries(lockJudges))
        assert.equal(judge(text), lock.ok, `${name}: ${show(text)}`);
      if (strict.ok) assert.deepEqual(lock, { ok: true, path: strict.path, key: strict.path }, show(text));
      else if (lock.ok) tolerated.push(text);
    }
    for (const text of tolerated) assert.match(text, /^\s|\s$|\\|^[./]+$/, show(text));
    assert.ok(tolerated.length > 20);
  });

  it('lets a task write below what a plan was approved with, and nothing that validates is refused later', () => {
    for (const text of oddPaths) {
      const strict = readWrittenPath(text);
      if (!strict.ok) continue;
      const allowed = planCodes(text).length === 0;
      for (const written of [strict.path, `${strict.path}/x.txt`]) {
        assert.equal(inScope(written, [strict.path]), allowed, show(text));
        for (const [name, judge] of Object.entries(writeJudges))
          assert.equal(judge(written), allowed, `${name}: ${show(text)}`);
      }
    }
  });

  it('says the same of a name that exists, also of one that may not stand in a plan', () => {
    let refused = 0;
    for (const text of oddPaths) {
      const place = readPlace(text);
      if (!place.ok) continue;
      // Read with the separators of Windows, it is another name.
      const claimed = readClaimedPath(place.path, []);
      if (!claimed.ok || claimed.path !== place.path) continue;
      const allowed = reservedFolderOf(place.path) === null;
      if (!allowed) refused += 1;
      for (const [name, judge] of Object.entries(writeJudges))
        assert.equal(judge(place.path), allowed, `${name}: ${show(text)}`);
    }
    assert.ok(refused > 60, String(refused));
  });

  it('accepts no claim about a place outside the workspace', () => {
    for (const text of oddPaths) {
      const place = readClaimedPath(text, ['/w', 'C:\\w']);
      const differences = claimDifferences([{ resource: text, action: 'created' }], []);
      assert.equal(
        differences[0]?.startsWith('claimed, but no path inside the workspace'),
        !readClaimedPath(text, []).ok,
      );
      if (!place.ok) assert.equal(writeJudges['the result packet']?.(text), text === '', show(text));
      else assert.ok(!place.path.startsWith('/') && !place.path.split('/').includes('..'), show(text));
    }
    assert.deepEqual(readClaimedPath('C:\\w\\src\\a', ['/w', 'C:\\w']), { ok: true, path: 'src/a' });
  });

  it('keeps a recovery packet in its mission', () => {
    const packet = documentedPacket();
    const { runDir } = packet.block;
    for (const text of oddPaths) {
      const named = { ...packet, block: { ...packet.block, artifactPaths: [`${runDir}/${text}`] } };
      const inside = at(packetFindings(named, null), '/block/artifactPaths/0').length === 0;
      assert.equal(inside, !text.split(/[\\/]/).includes('..'), show(text));
    }
  });

  it('gives evidence a folder that every system can make', () => {
    for (const id of ['a', 'T-1', 'a.b', 'console', 'com10']) assert.equal(isId(id), true, id);
    for (const id of ['a.', 'con', 'NUL.1', 'aux', 'a..b']) {
      assert.equal(isId(id), false, id);
      if (id === 'a..b') continue;
      const problem = id === 'a.' ? 'trailing_dot' : 'device_name';
      assert.deepEqual(readWrittenPath(evidenceDir(id)), { ok: false, problem }, id);
    }
  });
});

function show(text: string): string {
  return JSON.stringify(text.slice(0, 60));
}
