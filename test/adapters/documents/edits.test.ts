import { strict as assert } from 'node:assert';
import { planFiles } from '../../../src/adapters/documents/planFiles';
import type { DocumentEdit } from '../../../src/core/plan/approve';

const edits: readonly DocumentEdit[] = [
  { path: ['status'], value: 'APPROVED' },
  { path: ['execution', 'recovery'], value: { allow: ['provider_change'] } },
  { path: ['approval', 'approved_by'], value: 'Ada' },
  { path: ['approval', 'approved_at'], value: '2026-01-01T00:00:00Z' },
  { path: ['approval', 'note'], value: 'ok' },
];

const layouts: Readonly<Record<string, string>> = {
  'two blanks': JSON.stringify(plan(), null, 2),
  tabs: JSON.stringify(plan(), null, '\t'),
  'one line': JSON.stringify(plan()),
  'carriage returns': JSON.stringify(plan(), null, 2).replaceAll('\n', '\r\n'),
  'a byte-order mark': `\ufeff${JSON.stringify(plan(), null, 2)}\n`,
  'an object on one line among others':
    '{\n  "status": "DRAFT",\n  "execution": { "mode": "safe" },\n  "approval": { "required": true } }\n',
  'empty objects': '{\n  "approval": {},\n  "execution": {},\n  "status": "DRAFT"\n}',
  'empty objects on one line': '{"execution":{},"status":"DRAFT","approval":{}}',
};

describe('the edits of an approval', () => {
  for (const [name, text] of Object.entries(layouts)) {
    it(`give the same bytes at once as one after the other, with ${name}`, () => {
      const bytes = new TextEncoder().encode(text);
      const atOnce = planFiles.edit(bytes, edits);
      const inTurn = edits.reduce<Uint8Array>((edited, edit) => planFiles.edit(edited, [edit]), bytes);
      assert.equal(new TextDecoder().decode(atOnce), new TextDecoder().decode(inTurn));
      const value = JSON.parse(new TextDecoder().decode(atOnce)) as ReturnType<typeof plan>;
      assert.equal(value.status, 'APPROVED');
      assert.deepEqual(value.approval, { ...(value.approval.required ? { required: true } : {}), ...approval });
    });
  }
});

const approval = { approved_by: 'Ada', approved_at: '2026-01-01T00:00:00Z', note: 'ok' };

function plan(): { status: string; execution: object; approval: { required?: boolean; note?: string } } {
  return { status: 'DRAFT', execution: { mode: 'safe' }, approval: { required: true, note: '' } };
}
