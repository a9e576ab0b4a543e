import assert from 'node:assert/strict';
import { sha256 } from '../../../src/base/sha256';
import type { AuditFinding } from '../../../src/contracts/vocabulary/codes/auditFindings';
import { invocationFields } from '../../support/invocationFields';
import { auditLogOf, checkLaunches } from '../../../src/core/audit/log';
import { closingOf, recordText, sealOf, type AuditEvent } from '../../../src/core/audit/seal';
import { readAuditFile } from '../../../src/adapters/documents/auditFile';
import { auditFileText, verifyAuditFile } from '../../../src/engine/evidence/audit';
import { play } from '../../scenarios/play';

const { entries } = play({
  tasks: [
    { task_id: 'T1', worker: 'claude', intent: 'refactor' },
    { task_id: 'T2', worker: 'codex', paths: ['docs'] },
  ],
});
const log = auditLogOf(entries);
assert.ok(log);
const whole = auditFileText(entries) ?? '';
const lines = whole.trimEnd().split('\n');

/** What `audit verify FILE` finds. */
function errors(text: string): readonly AuditFinding[] {
  return verifyAuditFile(readAuditFile(text)).findings.filter(({ severity }) => severity === 'error');
}

/** The file of these lines; its last line is made anew, as by a forger who knows it. */
function file(body: readonly string[]): string {
  const text = `${body.join('\n')}\n`;
  return `${text}${JSON.stringify({ kind: 'end', records: body.length - 1, sha256: sha256(text) })}\n`;
}

const eventOf = (line: string | undefined): AuditEvent => (JSON.parse(line ?? '') as { event: AuditEvent }).event;
const body = lines.slice(0, -1);
const invocation = lines.findIndex((line) => line.includes('InvocationRecorded'));

describe('an exported audit log with a session of the orchestrator', () => {
  const asked = play({
    orchestrator: { worker: 'claude', model: null },
    tasks: [{ task_id: 'T1', worker: 'claude' }],
    world: { 'T1#1': { claim: 'invalid' } },
    script: [
      {
        at: { effect: 'awaitOrchestrator' },
        report: {
          ...{ type: 'OrchestratorHasAsked', launch_id: '', request_id: 'r1' },
          ask: { tool: 'choose_outcome', outcome: 'retry-repair', reason: 'it helps' },
        },
      },
    ],
  });
  const text = auditFileText(asked.entries) ?? '';
  const all = text.trimEnd().split('\n').slice(0, -1);
  const place = all.findIndex((line) => line.includes('"SessionRecorded"'));
  const session = eventOf(all[place]);

  it('holds, and has one record with 18 fields of it, counted apart from those of the task', () => {
    assert.deepEqual(errors(text), []);
    assert.ok(session.type === 'SessionRecorded');
    assert.deepEqual(Object.keys(session.record), [...invocationFields]);
    const { intent, role, call_index, result, failure_reason, telemetry_mode, task_id } = session.record;
    assert.deepEqual(
      [intent, role, call_index, result, failure_reason, telemetry_mode, task_id, session.attempt],
      ['debugging', 'assistant', 1, 'success', null, 'ENFORCED', 'T1', 1],
    );
    const invocations = all
      .slice(1)
      .map(eventOf)
      .flatMap((event) => (event.type === 'InvocationRecorded' ? [event] : []));
    assert.deepEqual(
      invocations.map(({ record }) => record.call_index),
      [1, 2],
    );
  });

  it('names it where it was changed, sealed anew, or taken out', () => {
    const with_ = (line: string): readonly string[] =>
      errors(file(all.map((one, index) => (index === place ? line : one)))).map(({ code }) => code);
    const line = all[place] ?? '';
    assert.deepEqual(with_(line.replace('"call_index":1', '"call_index":2')), ['AUDIT_RECORD_CHANGED']);
    assert.deepEqual(with_(line.replace('"attempt":1', '"attempt":2')), ['AUDIT_SEAL_BROKEN']);
    assert.deepEqual(
      errors(file(all.filter((_, index) => index !== place))).map(({ code, task_id, attempt }) => [
        code,
        task_id,
        attempt,
      ]),
      [['AUDIT_ATTEMPT_MISSING', 'T1', 2]],
    );
  });

  it('in a journal: a session without its one record is named', () => {
    const codes = (events: typeof asked.entries): readonly string[] => checkLaunches(events).map(({ code }) => code);
    assert.deepEqual(codes(asked.entries), []);
    const without = asked.entries.filter(({ event }) => event.type !== 'SessionRecorded');
    assert.deepEqual(codes(without), ['AUDIT_CALLS_WRONG']);
    const recorded = asked.entries.filter(({ event }) => event.type === 'SessionRecorded');
    assert.deepEqual(codes([...asked.entries, ...recorded]), ['AUDIT_CALLS_WRONG']);
  });
});

describe('an exported audit log', () => {
  it('holds as it was exported', () => {
    assert.deepEqual(errors(whole), []);
    assert.equal(file(body), whole);
  });

  it('names the record of every flipped byte, also where its last line was made anew', () => {
    const line = body[invocation] ?? '';
    for (let at = 0; at < line.length; at++) {
      const flipped = `${line.slice(0, at)}${String.fromCharCode(line.charCodeAt(at) ^ 1)}${line.slice(at + 1)}`;
      const changed = body.with(invocation, flipped);
      for (const text of [file(changed), `${[...changed, lines.at(-1)].join('\n')}\n`]) {
        const found = errors(text);
        const named = found.filter(
          ({ task_id, attempt, place }) => task_id === 'T1' && attempt === 1 && place !== null,
        );
        assert.ok(named.length > 0, `byte ${at}: ${flipped} ${JSON.stringify(found)}`);
        const readable = found.find(({ place, code }) => place === invocation + 1 && code === 'AUDIT_RECORD_CHANGED');
        if (readable) assert.equal(typeof readable.call_index, 'number', flipped);
      }
    }
  });

  it('finds a flipped byte in every line, the first and the last among them', () => {
    for (const [index, line] of lines.entries())
      for (let at = 0; at < line.length; at += 7) {
        const flipped = `${line.slice(0, at)}${String.fromCharCode(line.charCodeAt(at) ^ 1)}${line.slice(at + 1)}`;
        assert.notDeepEqual(errors(`${lines.with(index, flipped).join('\n')}\n`), [], `line ${index + 1}: ${flipped}`);
      }
  });

  it('finds each removed, doubled and swapped record, and names its attempt', () => {
    for (let index = 1; index < body.length; index++) {
      const { task_id } = eventOf(body[index]);
      const other = body[index + 1] ?? '';
      const attacks = [
        body.toSpliced(index, 1),
        body.toSpliced(index, 0, body[index] ?? ''),
        ...(index + 1 < body.length && eventOf(other).task_id === task_id
          ? [body.with(index, other).with(index + 1, body[index] ?? '')]
          : []),
      ];
      for (const attack of attacks) {
        const found = errors(file(attack));
        assert.ok(
          found.some((finding) => finding.task_id === task_id && finding.attempt === 1),
          `${index}: ${body[index]} ${JSON.stringify(found)}`,
        );
      }
    }
  });

  it('finds a cut tail, and a whole attempt that was taken out before another', () => {
    for (let kept = 1; kept < lines.length; kept++)
      assert.notDeepEqual(errors(`${lines.slice(0, kept).join('\n')}\n`), [], `cut after ${kept}`);
    const [first] = errors(file(body.filter((line, index) => index === 0 || eventOf(line).task_id === 'T2')));
    assert.deepEqual([first?.code, first?.task_id], ['AUDIT_ATTEMPT_MISSING', 'T2']);
  });

  it('finds a changed record that was sealed anew without what follows', () => {
    const forged = resealed(false);
    assert.deepEqual(
      errors(file(forged)).map(({ code, record }) => `${code} ${record}`),
      ['AUDIT_RECORD_CHANGED Task T1, attempt 1, phase 8 (telemetry finalization)'],
    );
    assert.deepEqual(
      errors(file(resealed(true))).map(({ code, task_id }) => `${code} ${task_id}`),
      ['AUDIT_ATTEMPT_MISSING T2'],
    );
  });

  it('belongs to one mission, run and plan: its seals hold under no other head', () => {
    for (const [name, value] of Object.entries({ mission_id: 'other', run_id: 'other', plan_sha256: 'F'.repeat(64) })) {
      const forged: string = JSON.stringify({ ...log.head, [name]: value });
      assert.equal(errors(file(body.with(0, forged)))[0]?.code, 'AUDIT_SEAL_BROKEN', name);
    }
  });

  it('is broken where its seals were taken out', () => {
    const stripped = body.map((line, index) => {
      if (index === 0) return line;
      const { at, event } = JSON.parse(line) as { at: string; event: Record<string, unknown> };
      delete event['seal'];
      delete event['closing'];
      return JSON.stringify({ at, event });
    });
    assert.deepEqual([...new Set(errors(file(stripped)).map(({ code }) => code))], ['AUDIT_SEAL_BROKEN']);
  });

  it('is read to its end with any value replaced, and seals all but what its first line names', () => {
    const values = [null, 0, -1, 1e308, '', 'x', [], {}, true, '__proto__'];
    const unsealed = new Set<string>();
    for (const [index, line] of body.entries())
      for (const place of placesIn(JSON.parse(line)))
        for (const value of values) {
          const changed: unknown = JSON.parse(line);
          const last = place.at(-1) ?? '';
          const holder = place
            .slice(0, -1)
            .reduce<Record<string, unknown>>(
              (at, key) => at[key] as Record<string, unknown>,
              changed as Record<string, unknown>,
            );
          holder[last] = value;
          const text = JSON.stringify(changed);
          if (text !== line && errors(file(body.with(index, text))).length === 0)
            unsealed.add(`line ${index + 1} ${place.join('.')}`);
        }
    // Those are held against the journal.
    assert.deepEqual([...unsealed], ['line 1 plan_id']);
  });

  it('is a file that may be anything', () => {
    for (const text of [
      '',
      '\n',
      '{}',
      'null\nnull\n',
      '[['.repeat(5000),
      `${whole}${whole}`,
      `\ufeff${whole}`,
      whole.replaceAll('\n', '\r\n'),
    ])
      assert.notDeepEqual(errors(text), [], text.slice(0, 40));
  });
});

/** The ways to each value in a document. */
function placesIn(value: unknown, before: readonly string[] = []): readonly (readonly string[])[] {
  if (typeof value !== 'object' || value === null) return [before];
  return Object.entries(value).flatMap(([key, item]) => [[...before, key], ...placesIn(item, [...before, key])]);
}

/** The log with another intent in the first invocation of T1, sealed anew; with `closed` its closing is made anew too. */
function resealed(closed: boolean): readonly string[] {
  const forged = body.with(invocation, (body[invocation] ?? '').replace('"intent":"refactor"', '"intent":"domain"'));
  assert.notDeepEqual(forged, body);
  const own = forged.flatMap((line, index) =>
    index > 0 && eventOf(line).task_id === 'T1'
      ? [{ index, ...(JSON.parse(line) as { at: string; event: AuditEvent }) }]
      : [],
  );
  const phase = (n: number): (typeof own)[number] =>
    own.find(({ event }) => event.type === 'PhaseCompleted' && event.phase === n) ?? assert.fail(String(n));
  const [eight, nine, ten] = [phase(8), phase(9), phase(10)];
  const before = own.filter(({ index }) => index < eight.index).map(recordText);
  const { mission_id, run_id, plan_sha256, previous_sha256 } = log?.head ?? assert.fail();
  const seal = sealOf({ mission_id, run_id, plan_sha256, task_id: 'T1', attempt: 1 }, previous_sha256, before);
  const sealed = { at: eight.at, event: { ...eight.event, seal } as AuditEvent };
  const closing = closingOf(seal.sha256, [sealed, nine, ten].map(recordText));
  const result = forged.with(eight.index, JSON.stringify(sealed));
  return closed ? result.with(ten.index, JSON.stringify({ at: ten.at, event: { ...ten.event, closing } })) : result;
}
