import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { planFiles } from '../../../src/adapters/documents/planFiles';
import { ThreadCaller } from '../../../src/adapters/system/threads';
import { editorFindings } from '../../../src/core/view/plan/editorFindings';
import { planTemplate } from '../../../src/core/plan/template';
import { planApproval } from '../../../src/engine/plans/approval';
import { checkPlan, checkPlanText, type PlanCheck } from '../../../src/engine/plans/check';
import type { PlanService } from '../../../src/extension/plans/thread';
import { PlanWork } from '../../../src/extension/plans/planThreadClient';

const script = path.resolve('dist-test/extension/programs/planThread.program.js');

describe('plans judged in a thread', () => {
  const problems: string[] = [];
  const work = new PlanWork(script, (problem) => problems.push(problem));
  let folder = '';
  before(async () => {
    folder = await mkdtemp(path.join(os.tmpdir(), 'plans-'));
  });
  after(async () => {
    await work.close();
    await rm(folder, { recursive: true });
    assert.deepEqual(problems, []);
  });
  const draft = planTemplate('agent', { plan_id: 'X', created_at: '2026-01-01T00:00:00Z', planner: 'ada' });
  const fileWith = async (text: string | Uint8Array): Promise<string> => {
    const file = path.join(folder, 'PLAN_X.json');
    await writeFile(file, text);
    return file;
  };
  const all = ({ valid, code, findings, plan_sha256, canonical_sha256, bytes, plan, text }: PlanCheck) => {
    const { value, findings: textFindings } = text;
    const whole = bytes && Buffer.from(bytes);
    return { valid, code, findings, plan_sha256, canonical_sha256, bytes: whole, plan, value, textFindings };
  };

  it('gives an editor the findings of plan validation, for texts and for files', async () => {
    const at = path.resolve('docs/plans/PLAN_X.json');
    const text = '{ "plan_id": "X", "status": "DRAFT" }';
    assert.deepEqual(
      await work.findings(at, text, { defaultWorker: 'codex' }),
      editorFindings({ status: 'DRAFT' }, checkPlanText(planFiles, text, at, { defaultWorker: 'codex' }).findings),
    );
    const missing = path.resolve('docs/plans/PLAN_NOT_THERE.json');
    const found = await work.findings(missing, null, {});
    assert.deepEqual(found, (await checkPlan(planFiles, missing)).findings);
    assert.equal(found.length, 1);
  });

  it('gives the same whole check as without the thread, whatever the file is', async () => {
    const approved = draft.replace('"DRAFT"', '"APPROVED"');
    const files = [
      draft,
      approved,
      `\ufeff${approved.replace('ada', 'Åda')}`,
      '{"a":1,"a":2}',
      '{',
      '[['.repeat(70),
      '',
    ];
    for (const content of [...files, new Uint8Array([0x22, 0xff, 0x22])]) {
      const file = await fileWith(content);
      const options = { defaultWorker: 'codex', workspaceDir: folder } as const;
      assert.deepEqual(
        all(await checkPlan(work.files(), file, options)),
        all(await checkPlan(planFiles, file, options)),
      );
    }
    const missing = path.join(folder, 'PLAN_NOT_THERE.json');
    assert.deepEqual(all(await checkPlan(work.files(), missing)), all(await checkPlan(planFiles, missing)));
  });

  it('approves as without the thread, and refuses with the same findings', async () => {
    const machine = {
      wanted: null,
      standing: { kind: 'available', means: 'bubblewrap', not_nested: null, no_layers: null },
    } as const;
    const decision = { approved_by: 'ada', approved_at: '2026-01-02T00:00:00Z', note: null, recovery_allow: null };
    for (const content of [draft, draft.replace('"X"', '".."'), '{']) {
      const file = await fileWith(content);
      const here = planApproval(planFiles, await checkPlan(planFiles, file), file, decision);
      const there = await work.approval(file, { decision, machine }, {});
      assert.equal(there.ok, here.ok);
      if (!there.ok || !here.ok) assert.deepEqual(there.findings, here.findings);
      else {
        assert.deepEqual(Buffer.from(there.bytes), Buffer.from(here.bytes));
        assert.equal(there.plan_sha256, here.plan_sha256);
        assert.equal(there.read_sha256, planFiles.parse(content).sha256);
        assert.equal(there.overview.plan_sha256, here.plan_sha256);
      }
    }
    assert.equal(await work.asksRecovery(await fileWith(draft)), true);
    assert.equal(await work.asksRecovery(await fileWith(draft.replace('"DRAFT"', '"APPROVED"'))), false);
    assert.equal(await work.asksRecovery(await fileWith('{')), false);
  });

  it('answers calls under way before it closes, and starts anew afterwards', async () => {
    const [first] = await Promise.all([work.findings('/docs/plans/PLAN_X.json', '[]', {}), work.close()]);
    assert.deepEqual(await work.findings('/docs/plans/PLAN_X.json', '[]', {}), first);
  });

  it('rejects when its program cannot be started; plans are then judged without it, and that is reported', async () => {
    const none = new ThreadCaller<null, PlanService>({ script: `${script}.none`, name: 'plans', data: null });
    await assert.rejects(none.calls.findings('/x', '', {}), /Cannot find module/);
    const told: string[] = [];
    const broken = new PlanWork(`${script}.none`, (problem) => told.push(problem));
    const file = await fileWith(draft);
    assert.deepEqual(all(await checkPlan(broken.files(), file)), all(await checkPlan(planFiles, file)));
    assert.match(told.join(), /Cannot find module/);
  });
});
