import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { checkedDocuments } from '../../src/engine/plans/documentCheck';
import type { DocumentKind } from '../../src/engine/plans/recognise';
import { documentedPacket } from '../contracts/recoveryPacketSample';
import { sampleDocuments } from '../engine/plans/sampleDocuments';
import { cliFile } from './cliBed';

type Json = Readonly<Record<string, unknown>>;
interface Printed {
  readonly valid: boolean;
  readonly code: string;
  readonly reason: string;
  readonly files: readonly {
    readonly file: string;
    readonly kind?: string;
    readonly valid: boolean;
    readonly code: string;
    readonly findings: readonly {
      readonly code: string;
      readonly severity: string;
      readonly pointer: string;
      readonly message: string;
    }[];
  }[];
}

/** What a rule must say about a valid document after one change: kind, path, value (undefined: removed), finding. */
type Change = readonly [
  kind: DocumentKind,
  change: readonly [key: string, ...keys: (string | number)[]],
  value: unknown,
  finding: string,
];
const changes: readonly Change[] = [
  ['result', ['run_id'], '  ', 'error MISSING_REQUIRED_INPUT /run_id'],
  ['result', ['run_id'], '../../x', 'error SCHEMA_INVALID /run_id'],
  ['result', ['task_id'], '../../x', 'error SCHEMA_INVALID /task_id'],
  ['result', ['task_id'], 'a..b', 'error SCHEMA_INVALID /task_id'],
  ['result', ['task_id'], 'x'.repeat(5000), 'error SCHEMA_INVALID /task_id'],
  ['result', ['worklog_path'], '', 'error MISSING_REQUIRED_INPUT /worklog_path'],
  ['result', ['worklog_path'], '\u200b', 'error MISSING_REQUIRED_INPUT /worklog_path'],
  ['result', ['worklog_path'], 'x'.repeat(1001), 'error SCHEMA_INVALID /worklog_path'],
  ['result', ['acceptance_check', 0, 'criterion'], ' ', 'error MISSING_REQUIRED_INPUT /acceptance_check/0/criterion'],
  ['result', ['acceptance_check', 0, 'evidence'], '\u2060', 'error ACCEPTANCE_FAILED /acceptance_check/0/evidence'],
  ['result', ['notes_for_orchestrator'], ['\u200b'], 'error MISSING_REQUIRED_INPUT /notes_for_orchestrator/0'],
  ['result', ['generated_at'], 'yesterday', 'error SCHEMA_INVALID /generated_at'],
  ['result', ['generated_at'], '2026-02-30T00:00:00Z', 'error SCHEMA_INVALID /generated_at'],
  ['ai-project', ['meta', 'project_name'], ' ', 'error PROJECT_FIELD_EMPTY /meta/project_name'],
  ['ai-project', ['meta', 'project_type'], '', 'error PROJECT_FIELD_EMPTY /meta/project_type'],
  ['ai-project', ['meta', 'project_type'], 'shop', 'error SCHEMA_INVALID /meta/project_type'],
  ['ai-project', ['direction'], undefined, 'error MISSING_REQUIRED_INPUT '],
  ['ai-project', ['tooling', 'api', 'locked'], true, 'error PROJECT_LOCK_WITHOUT_ADR /tooling/api/locked'],
  ['model-policy', ['models', 0, 'profile'], 'nobody', 'error POLICY_INVALID /models/0/profile'],
  [
    'model-policy',
    ['routing', 'code_generation', 'tiers'],
    ['D'],
    'error POLICY_INVALID /routing/code_generation/tiers',
  ],
  ['locks', ['active_locks'], undefined, 'error MISSING_REQUIRED_INPUT '],
  ['handoff', ['constraints'], [], 'error SCHEMA_INVALID /constraints'],
  ['handoff', ['objective'], '\u200b\u200b', 'error MISSING_REQUIRED_INPUT /objective'],
  ['assignment', ['task'], [], 'error SCHEMA_INVALID /task'],
  ['recovery-packet', ['missionTitle'], '\u200b', 'error SCHEMA_INVALID /missionTitle'],
  ['recovery-packet', ['block', 'reasonCategory'], 'child_exit_nonzero', 'error LEDGER_INCONSISTENT /block/exitCode'],
  [
    'recovery-packet',
    ['block', 'reasonCategory'],
    'missing_handoff',
    'error LEDGER_INCONSISTENT /block/reasonCategory',
  ],
  ['recovery-packet', ['block', 'kind'], 'worker', 'error LEDGER_INCONSISTENT /block/reasonCategory'],
  [
    'recovery-packet',
    ['block', 'runDir'],
    '/d/missions/other/runs/run-validator-M1',
    'error SCOPE_VIOLATION /block/runDir',
  ],
];

const changed = (document: unknown, [key, ...rest]: readonly (string | number)[], value: unknown): unknown => {
  if (key === undefined) return value;
  if (Array.isArray(document))
    return document.map((item: unknown, index) => (index === key ? changed(item, rest, value) : item));
  const object = document as Json;
  const next = rest.length === 0 ? value : changed(object[key], rest, value);
  return Object.fromEntries([...Object.entries(object).filter(([name]) => name !== key), [key, next]]);
};

describe('mission check', function () {
  this.timeout(120_000);
  let folder: string;
  beforeEach(() => (folder = mkdtempSync(path.join(tmpdir(), 'mission-check-'))));
  afterEach(() => rmSync(folder, { recursive: true }));

  const write = (name: string, value: unknown): string => {
    writeFileSync(path.join(folder, name), typeof value === 'string' ? value : JSON.stringify(value, null, 2));
    return name;
  };
  const check = (...words: readonly string[]): { code: number | null; printed: Printed } => {
    const run = spawnSync(process.execPath, [cliFile, 'check', ...words, '--json'], { cwd: folder, encoding: 'utf8' });
    assert.notEqual(run.stdout, '', run.stderr);
    return { code: run.status, printed: JSON.parse(run.stdout) as Printed };
  };

  it('has a kind for every schema', () => {
    // The forms that some workers are asked for are no documents of their own: `result` takes the first. An event of
    // the stream is a message that is not kept as a file.
    const forms = ['remembering-result.schema.json', 'milestone-report.schema.json', 'stream-event.schema.json'];
    const schemas = readdirSync(path.resolve('schemas')).filter(
      (name) => !name.endsWith('.editor.schema.json') && !forms.includes(name),
    );
    const kinds = ['plan', ...Object.values(checkedDocuments)].map((name) => `${name}.schema.json`);
    assert.deepEqual([...kinds].sort(), schemas.sort());
    assert.deepEqual(Object.keys(sampleDocuments).sort(), ['plan', ...Object.keys(checkedDocuments)].sort());
  });

  it('recognises a document of every kind, and takes it by its name', () => {
    const files = Object.entries(sampleDocuments).map(([kind, document]) => write(`${kind}.json`, document));
    const { code, printed } = check(...files);
    assert.equal(code, 0, JSON.stringify(printed, null, 1));
    assert.deepEqual(
      printed.files.map(({ file, kind }) => [file, kind]),
      Object.keys(sampleDocuments).map((kind) => [`${kind}.json`, kind]),
    );
    for (const kind of ['header', 'exit-record'])
      assert.equal(check(kind, `${kind}.json`).printed.files[0]?.kind, kind);
  });

  it('says whose contract a foreign document follows, and asks for a kind when the document names none', () => {
    const files = [
      write('planner.json', { schema_version: 'planner.v1', plan_id: 'PLAN-0001', tasks: [] }),
      write('scope.json', { scope_contract: { in_scope: [] }, tasks: [] }),
      write('other.json', { name: 'x' }),
      write('list.json', []),
      write('broken.json', '{'),
    ];
    const { code, printed } = check(...files);
    assert.equal(code, 1);
    assert.deepEqual(
      printed.files.map((report) => [report.code, report.kind]),
      [
        ['CONTRACT_FOREIGN', undefined],
        ['CONTRACT_FOREIGN', undefined],
        ['KIND_UNKNOWN', undefined],
        ['KIND_UNKNOWN', undefined],
        ['JSON_SYNTAX', undefined],
      ],
    );
    assert.match(printed.files[0]?.findings[0]?.message ?? '', /planner\.v1/);
  });

  it('answers a misspelled kind with the nearest one', () => {
    const file = write('result.json', sampleDocuments['result']);
    const { code, printed } = check('reslut', file);
    assert.deepEqual([code, printed.code], [2, 'USAGE']);
    assert.match(printed.reason, /no kind "reslut"; did you mean result\?/);
    assert.equal(check('plan').code, 2);
  });

  it('reports each of these faults by one finding at its place', () => {
    const files = changes.map(([kind, keys, value], index) =>
      write(`${index}.json`, changed(sampleDocuments[kind], keys, value)),
    );
    for (const kind of new Set(changes.map(([one]) => one))) {
      const own = changes.flatMap((change, index) =>
        change[0] === kind ? [[change, files[index] ?? ''] as const] : [],
      );
      const { printed } = check(kind, ...own.map(([, file]) => file));
      for (const [index, [[, keys, value, finding]]] of own.entries()) {
        const told = (printed.files[index]?.findings ?? []).filter(({ severity }) => severity === 'error');
        assert.ok(
          told.some(({ code, severity, pointer }) => `${severity} ${code} ${pointer}` === finding),
          `${kind} ${keys.join('/')} = ${JSON.stringify(value)}: ${JSON.stringify(told)}`,
        );
        const places = told.map(({ pointer }) => pointer);
        assert.equal(new Set(places).size, places.length, JSON.stringify(told));
      }
    }
  });

  it('warns of a field that no contract knows, refuses a policy with one, and names the field that was meant', () => {
    const files = Object.entries(sampleDocuments).map(([kind, document]) =>
      write(`${kind}.json`, { ...document, colour: 'red', x_colour: 'blue' }),
    );
    const { code, printed } = check(...files);
    assert.equal(code, 1, JSON.stringify(printed, null, 1));
    for (const { file, valid, findings } of printed.files) {
      // A start refuses such a policy, so the check does as well.
      const refused = path.basename(file) === 'model-policy.json';
      assert.deepEqual(
        findings
          .filter(({ code: one, severity }) => severity !== 'info' && one !== 'PLAN_MISPLACED')
          .map((finding) => `${finding.severity} ${finding.code} ${finding.pointer}`),
        refused ? ['error FIELD_UNKNOWN /colour', 'error FIELD_UNKNOWN /x_colour'] : ['warning FIELD_UNKNOWN /colour'],
        file,
      );
      assert.equal(valid, !refused, file);
    }
    write('model-policy.json', { schema_version: '1.0.0', x_refuse: ['haiku'] });
    const extended = check('model-policy', 'model-policy.json');
    assert.deepEqual(
      [extended.code, ...(extended.printed.files[0]?.findings ?? []).map(({ pointer, message }) => [pointer, message])],
      [1, ['/x_refuse', '"x_refuse" is in no contract, so the file is refused; did you mean "refuse"?']],
    );
    write('slip.json', { ...sampleDocuments['result'], notes_for_orchestator: [] });
    const slip = check('result', 'slip.json').printed.files[0];
    assert.match(slip?.findings[0]?.message ?? '', /did you mean "notes_for_orchestrator"\?/);
  });

  it("accepts what the contract documents: a time in a result, and documents of the contract's own tools", () => {
    const result = { ...sampleDocuments['result'], generated_at: '2026-01-31T20:00:00Z' };
    const lock = { task_id: 'T-1', resource: 'src', active: true };
    const files = [
      ['result', result],
      ['locks', { locks: [lock, { ...lock, task_id: 'T-2', resource: 'docs' }] }],
      [
        'ledger',
        {
          ledger: [
            { task_id: 'T-1', status: 'done', owner: 'w', dependencies: [] },
            { task_id: 'T-2', status: 'todo', dependencies: ['T-1'] },
            { task_id: 'T-3', status: 'in_progress', owner: 'w' },
            { task_id: 'T-4', status: 'blocked' },
          ],
          events: [
            { task_id: 'T-1', event_type: 'state_transition' },
            { task_id: 'T-2', event_type: 'created' },
          ],
        },
      ],
    ] as const;
    for (const [kind, document] of files) {
      const { code, printed } = check(kind, write(`${kind}.json`, document));
      assert.equal(code, 0, JSON.stringify(printed, null, 1));
    }
    const overlap = check(
      'locks',
      write('overlap.json', { locks: [lock, { ...lock, task_id: 'T-2', resource: 'src/a' }] }),
    );
    assert.deepEqual(
      overlap.printed.files[0]?.findings.map(({ code, pointer }) => [code, pointer]),
      [['LOCK_CONFLICT', '/locks/1/resource']],
    );
  });

  it('names the outcome that a packet lacks', () => {
    const packet = documentedPacket();
    const file = write('packet.json', { ...packet, allowedOutcomes: packet.allowedOutcomes.slice(1) });
    const findings = check('recovery-packet', file).printed.files[0]?.findings ?? [];
    assert.deepEqual(
      findings.map(({ code, pointer }) => [code, pointer]),
      [['MISSING_REQUIRED_INPUT', '/allowedOutcomes']],
    );
    assert.match(findings[0]?.message ?? '', /^Outcome resume is missing;/);
  });
});
