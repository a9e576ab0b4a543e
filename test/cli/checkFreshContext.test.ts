import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { cliFile } from './cliBed';

interface Case {
  readonly kind: string;
  readonly file: string;
  readonly code: string;
  readonly errors: readonly (readonly [code: string, pointer: string])[];
}
interface Printed {
  readonly valid: boolean;
  readonly files: readonly {
    readonly file: string;
    readonly valid: boolean;
    readonly code: string;
    readonly findings: readonly {
      readonly code: string;
      readonly severity: string;
      readonly pointer: string;
      readonly line?: number;
    }[];
  }[];
}

const folder = path.resolve('test/fixtures/fresh-context');
const cases = JSON.parse(readFileSync(path.join(folder, 'cases.json'), 'utf8')) as readonly Case[];
const check = (kind: string, files: readonly string[]): { code: number | null; printed: Printed } => {
  const run = spawnSync(process.execPath, [cliFile, 'check', kind, ...files, '--json'], {
    cwd: folder,
    encoding: 'utf8',
  });
  return { code: run.status, printed: JSON.parse(run.stdout) as Printed };
};

describe('mission check, documents of Fresh Context', () => {
  for (const kind of ['locks', 'ledger', 'handoff', 'assignment', 'result']) {
    const own = cases.filter((one) => one.kind === kind);

    it(`${kind}: ${own.length} documents, each with its code and all its findings`, () => {
      assert.ok(own.length > 10);
      const { code, printed } = check(
        kind,
        own.map(({ file }) => file),
      );
      assert.deepEqual([code, printed.valid], [1, false]);
      for (const [index, { file, code: expected, errors }] of own.entries()) {
        const report = printed.files[index];
        assert.deepEqual([report?.file, report?.code, report?.valid], [file, expected, expected === 'OK']);
        const told = report?.findings.filter(({ severity }) => severity === 'error');
        assert.deepEqual(
          told?.map((finding) => [finding.code, finding.pointer]),
          errors,
          file,
        );
        for (const finding of told) assert.ok(finding.line !== undefined && finding.line >= 1, file);
      }
    });

    it(`${kind}: exit code 0 when all are valid`, () => {
      const { code, printed } = check(
        kind,
        own.filter((one) => one.code === 'OK').map(({ file }) => file),
      );
      assert.deepEqual([code, printed.valid], [0, true]);
    });
  }

  it('a timeout beyond every calendar leaves the other files their answers', () => {
    const scratch = mkdtempSync(path.join(tmpdir(), 'mission-check-'));
    try {
      const row = { task_id: 'T-1', status: 'in_progress', owner: 'w', lock_scope: ['src'] };
      const files = [60, 9e12, 60].map((timeout_seconds, index) => {
        const file = path.join(scratch, `${index}.json`);
        const ledger = [{ ...row, timeout_seconds, last_heartbeat_at: '2026-01-31T20:00:00Z' }];
        const run_id = '8b0e0a3e-3f1d-4c8e-9d0a-0c6b6f3b2a11';
        const active_locks = [{ task_id: 'T-1', resource: 'src', active: true }];
        writeFileSync(file, JSON.stringify({ run_id, ledger, active_locks, now: '2026-01-31T20:00:10Z' }));
        return file;
      });
      const { code, printed } = check('ledger', files);
      assert.deepEqual(
        [code, printed.files.map((report) => [report.file, report.code])],
        [0, files.map((file) => [file, 'OK'])],
      );
    } finally {
      rmSync(scratch, { recursive: true });
    }
  });
});
