import assert from 'node:assert/strict';
import { executionHeaderSchema } from '../../../src/contracts/record/header';
import { taskEvidenceSchema } from '../../../src/contracts/taskEvidence';
import { headerDocument } from '../../../src/engine/effects/write/writeDocuments';
import { summaryMarkdown } from '../../../src/core/evidence/summary';
import { documentText } from '../../../src/base/json';
import { inPlaces } from '../../../src/core/evidence/places';
import { sampleAttempt, sampleHeader, samplePlaces, sampleTask } from './sampleFacts';

const change = {
  path: 'src/a|b.txt',
  kind: 'modified',
  before_sha256: null,
  after_sha256: 'A'.repeat(64),
  resolved_path: null,
  detail: null,
  attribution: 'worker',
  in_scope: true,
  violation: null,
} as const;

const claim = {
  kind: 'valid',
  problems: [],
  packet: {
    schema_version: '1.0.0',
    run_id: 'r',
    task_id: 'T1',
    status: 'done',
    changes: [],
    acceptance_check: [],
    worklog_path: '',
    notes_for_orchestrator: [],
  },
} as const;

const check = (name: string, exit_code: number | null) => ({
  ...{ argv: [name], exit_code, signal: null, passed: exit_code === 0, output_sha256: 'A'.repeat(64), tail: '' },
});

describe('evidence documents', () => {
  it('are the same bytes for the same facts, end with a newline and match their contract', () => {
    const header = headerDocument(sampleHeader());
    assert.equal(header, headerDocument(sampleHeader()));
    assert.match(header, /[^\n]\n$/);
    assert.equal(header.includes('\r'), false);
    const task = documentText(sampleTask());
    assert.equal(task, documentText(sampleTask()));
    executionHeaderSchema.parse(JSON.parse(header));
    taskEvidenceSchema.parse(JSON.parse(task));
  });

  it('name folders of the machine instead of spelling them out', () => {
    const text = documentText(inPlaces(sampleTask(), samplePlaces));
    assert.equal(text.includes('/home/ada'), false);
    assert.ok(text.includes('<workspace>/src') && text.includes('<home>/bin/claude'));
  });

  it('leave host and user out unless they are given', () => {
    assert.equal(headerDocument(sampleHeader()).includes('"host"'), false);
    assert.match(headerDocument(sampleHeader({ host: 'H', user: 'U' })), /"host": "H",\n {2}"user": "U"/);
  });

  it('say how many checks were never seen to fail, by the argument list, in whatever task it failed', () => {
    const attempts = [
      sampleAttempt({ verify: [check('a', 1), check('c', null)] }),
      sampleAttempt({ attempt: 2, verify: [check('a', 0), check('b', 0), check('c', 0)] }),
    ];
    const said = (...tasks: Parameters<typeof sampleTask>): string | undefined =>
      /Never seen .*/.exec(summaryMarkdown({ header: sampleHeader(), tasks: [sampleTask(...tasks)] }).toString())?.[0];
    const words = 'commands that passed. A check proves something only where it fails without the work.';
    assert.equal(said({ attempts }), `Never seen to fail in this mission: 2 of 3 ${words}`);
    assert.equal(said({ attempts: [sampleAttempt({ verify: [check('a', 1), check('a', 0)] })] }), undefined);
  });

  it('name the files of a check that a task of the mission wrote itself', () => {
    const said = (path: string, attribution: 'worker' | 'external_change'): string | undefined => {
      const verify = [check('sh ./tools/check.sh', 0)];
      const tasks = [
        sampleTask({ attempts: [sampleAttempt({ changes: [{ ...change, path, attribution }], verify })] }),
      ];
      return /Commands that passed name .*/.exec(summaryMarkdown({ header: sampleHeader(), tasks }).toString())?.[0];
    };
    assert.match(said('tools/check.sh', 'worker') ?? '', /wrote: .*tools\/check\.sh.*T1.*Read these first/);
    assert.equal(said('src/a.ts', 'worker'), undefined);
    assert.equal(said('tools/check.sh', 'external_change'), undefined);
    const tasks = [sampleTask({ attempts: [sampleAttempt({ verify: [check('node_modules/.bin/mytest', 0)] })] })];
    const summary = (scratch: readonly string[]): string =>
      summaryMarkdown({ header: sampleHeader(), tasks, scratch }).toString();
    assert.match(summary(['node_modules']), /name files in scratch, where .*: node\\?_modules\/\.bin\/mytest\./);
    assert.doesNotMatch(summary(['dist']), /in scratch/);
  });

  it('name who ordered a further attempt', () => {
    const decided_by = {
      ...{ actor: { kind: 'human' as const, name: 'Ada' }, reason: 'flaky', at: '2026-01-02T03:07:00Z' },
      outcome: 'retry-repair',
    } as const;
    const attempts = [sampleAttempt({ outcome: 'HALT', reason: 'exit 1' }), sampleAttempt({ attempt: 2, decided_by })];
    const task = taskEvidenceSchema.parse(JSON.parse(documentText(sampleTask({ attempts }))));
    assert.equal(task.attempts?.[1]?.decided_by?.actor.name, 'Ada');
    const summary = summaryMarkdown({ header: sampleHeader(), tasks: [sampleTask({ attempts })] }).toString();
    assert.match(summary, /attempt 2 was ordered by human Ada .*flaky/);
    assert.match(summary, /attempt 1 did not pass: exit 1/);
  });
});

describe('the execution summary', () => {
  it('says of a failed command what happened and not its code, which the header has', () => {
    const rows = [
      { task_id: 'T1', status: 'FAILED', code: 'ACCEPTANCE_FAILED', attempts: 1, evidence_sha256: null },
      { task_id: 'T2', status: 'FAILED', code: 'TASK_TIMEOUT', attempts: 1, evidence_sha256: null },
    ] as const;
    const tasks = [sampleTask({ reason: 'The worker exited with 3.' })];
    const text = summaryMarkdown({ header: sampleHeader({ tasks: rows }), tasks }).toString();
    assert.doesNotMatch(text, /ACCEPTANCE/);
    assert.match(text, /\| The worker exited with 3\. \|/);
    assert.match(text, /`TASK_TIMEOUT`/);
  });

  it('says what was approved, done, changed, verified, not observed, and how to check it', () => {
    const header = sampleHeader({
      tasks: [{ task_id: 'T1', status: 'SUCCESS', code: null, attempts: 1, evidence_sha256: null }],
    });
    const text = summaryMarkdown({
      header,
      tasks: [sampleTask({ attempts: [sampleAttempt({ changes: [change] })] })],
    }).toString();
    for (const expected of [
      /\*\*COMPLETED\*\*: 1 of 1/,
      /Approved by Ada/,
      /0{64}/,
      /`npm test` \| passed/,
      /no\\_scope\\_violation \| met/,
      /anything outside the workspace/,
      /mission evidence verify P1/,
    ]) {
      assert.match(text, expected);
    }
    assert.match(text, /[^\n]\n$/);
  });

  it('credits the worker with what its result announces, and says of another change that only its time shows it', () => {
    const plain = { ...change, path: 'src/plain.txt' };
    const changed = (...resources: readonly string[]): string => {
      const changes = resources.map((resource) => ({ resource, action: 'edited' }));
      const attempt = sampleAttempt({ changes: [plain], claim: { ...claim, packet: { ...claim.packet, changes } } });
      return summaryMarkdown({
        header: sampleHeader(),
        tasks: [sampleTask({ attempts: [attempt] })],
        places: samplePlaces,
      }).toString();
    };
    for (const resource of ['src/plain.txt', '/home/ada/project/src/plain.txt']) {
      assert.match(changed(resource), /`src\/plain.txt` \| modified \| worker \| in scope \|/);
      assert.doesNotMatch(changed(resource), /shows who wrote it/);
    }
    const unannounced = changed('src/other.txt');
    assert.match(unannounced, /\| modified \| worker, by its time \| in scope; observed, not announced \|/);
    assert.match(
      unannounced,
      /it changed while the worker ran, and neither a result nor a stream announces it\. Nothing else shows who wrote it\./,
    );
    const command = summaryMarkdown({
      header: sampleHeader(),
      tasks: [sampleTask({ attempts: [sampleAttempt({ changes: [change] })] })],
    }).toString();
    assert.match(command, /\| worker, by its time \|/);
  });

  it('credits a worker with what its stream announced, with what a person completed not, and no verify command', () => {
    const summary = (values: Parameters<typeof sampleAttempt>[0], ...streamed: readonly string[]): string =>
      summaryMarkdown({
        header: sampleHeader(),
        tasks: [sampleTask({ attempts: [sampleAttempt(values)] })],
        streamed: new Map([['T1#1', streamed]]),
      }).toString();
    const out = { ...change, path: 'secrets/key', in_scope: false, violation: 'lies outside' };
    assert.match(summary({ changes: [out] }, 'secrets/key'), /`secrets\/key` \| modified \| worker \| lies outside \|/);
    assert.match(summary({ changes: [out] }), /\| worker, by its time \| lies outside; observed, not announced \|/);
    const plain = { ...change, path: 'src/plain.txt' };
    const named = { ...claim, packet: { ...claim.packet, changes: [{ resource: 'src/plain.txt', action: 'edited' }] } };
    const intervention = { requested_at: '', missing: [], packet: claim.packet, decision: null };
    assert.match(summary({ changes: [plain], claim: named, intervention }), /\| worker, by its time \|/);
    const verify = summary({ changes: [{ ...plain, attribution: 'verify' }] });
    assert.match(verify, /\| verify, by its time \| in scope; observed, not announced \|/);
    assert.match(verify, /it changed while a verify command ran, and neither a result nor a stream announces it/);
  });

  it('names a change once, however many attempts found it, and says which attempt found it put back', () => {
    const stray = {
      ...change,
      path: 'a.txt',
      attribution: 'unattributed',
      in_scope: false,
      doubt: 'is outside',
    } as const;
    const own = { ...change, path: 'src/own.txt' };
    const by = { actor: { kind: 'human', name: 'Ada' }, reason: '', at: '', outcome: 'rerun-validation' } as const;
    const first = sampleAttempt({ changes: [stray, own], outcome: 'HALT' });
    const again = { launches: [], decided_by: by } as const;
    const attempts = [
      first,
      sampleAttempt({ ...again, attempt: 2, changes: [stray, own], outcome: 'HALT' }),
      sampleAttempt({ ...again, attempt: 3, changes: [own] }),
    ];
    const header = sampleHeader({
      tasks: [{ task_id: 'T1', status: 'SUCCESS', code: null, attempts: 3, evidence_sha256: null }],
    });
    const text = summaryMarkdown({ header, tasks: [sampleTask({ attempts })] }).toString();
    const rows = text.split('\n').filter((line) => /^\| `T1` \| `(a\.txt|src\/own\.txt)`/.test(line));
    assert.equal(rows.length, 2, text);
    assert.match(rows[0] ?? '', /a\.txt.*nothing shows who made it; put back, as a validation found \|/);
    assert.doesNotMatch(rows[1] ?? '', /put back/);
    assert.match(text, /\| 1 attempt and 2 validations \|/);
    const entry = { path: 'a.txt', kind: 'modified', why: 'is outside', attempt: 1 } as const;
    const gone = { ...entry, settled: { how: 'gone', attempt: 3, at: '' } } as const;
    const withEntry = summaryMarkdown({ header, tasks: [sampleTask({ attempts, outstanding: [gone] as never })] });
    assert.match(withEntry.toString(), /`a\.txt` blocked attempt 1 .*as before when a validation looked\./);
  });

  it('names a change anew that was put back and came again, and one with other bytes', () => {
    const at = (attempt: number, digit: string | null, more: object = {}): ReturnType<typeof sampleAttempt> =>
      sampleAttempt({
        attempt,
        changes: digit === null ? [] : [{ ...change, path: 'a', after_sha256: digit.repeat(64) }],
        ...more,
      });
    const rowsOf = (
      attempts: readonly ReturnType<typeof sampleAttempt>[],
      outstanding: object[] = [],
    ): readonly string[] => {
      const task = sampleTask({ attempts, outstanding: outstanding as never });
      const text = summaryMarkdown({ header: sampleHeader(), tasks: [task] }).toString();
      return text.split('\n').flatMap((line) => {
        const found = /^\| `T1` \| `a` \|.*?(put back[^|]*)?\| `(.)/.exec(line);
        return found ? [`${found[2] ?? ''} ${found[1]?.trim() ?? ''}`.trim()] : [];
      });
    };
    assert.deepEqual(rowsOf([at(1, 'B'), at(2, 'C'), at(3, 'B')]), ['B', 'C', 'B']);
    const gone = { path: 'a', kind: 'modified', why: '', attempt: 1, settled: { how: 'gone', attempt: 2 } };
    assert.deepEqual(rowsOf([at(1, 'B'), at(2, 'B')], [gone]), ['B put back, as attempt 2 found', 'B']);
  });

  it('cannot be forged by the texts it shows', () => {
    const evil = 'x |\n\n# Approved by nobody\n```\n[a](javascript:1) <script>';
    const text = summaryMarkdown({
      header: sampleHeader({
        approved_by: evil,
        reason: evil,
        tasks: [{ task_id: 'T1', status: 'FAILED', code: evil, attempts: 1, evidence_sha256: null }],
      }),
      tasks: [
        sampleTask({
          description: evil,
          reason: evil,
          attempts: [
            sampleAttempt({
              verify: [{ argv: [evil], exit_code: 1, signal: null, passed: false, output_sha256: null, tail: evil }],
            }),
          ],
        }),
      ],
    }).toString();
    const outsideFences = text.replace(/^(`{3,})text\n[\s\S]*?\n\1$/gm, '');
    assert.equal(/^# Approved by nobody/m.test(outsideFences), false);
    // Markup is either escaped or inside a code span that its content cannot close.
    assert.equal(/(?<!\\)<script>/.test(outsideFences.replace(/(`+)(?!`)[\s\S]*?[^`]\1(?!`)/g, '')), false);
  });
});
