import assert from 'node:assert/strict';
import { createDoctorPorts } from '../../../src/adapters/doctor/doctor';
import { planFiles } from '../../../src/adapters/documents/planFiles';
import { createWorkerCatalog } from '../../../src/adapters/launches/workerCatalog';
import { doctorChecks } from '../../../src/engine/views/doctor';
import type { DoctorCheck } from '../../../src/engine/ports/doctor';
import { doctorPage } from '../../../src/extension/pages/doctor';
import { agentNames } from '../../../src/contracts/vocabulary/workers';
import { agentCatalog } from '../../../src/workers/registry';

const ok: DoctorCheck = { id: 'git', ok: true, required: true, detail: 'git version 2', fix: '' };

describe('the page of the doctor', () => {
  it('says what lacks, what to do, and whether it is required', () => {
    const optional: DoctorCheck = { id: 'codex', ok: false, required: false, detail: 'gone', fix: 'Install it.' };
    const page = doctorPage('1.0.0', [{ title: 'w', checks: [ok, optional] }]).text.toString();
    assert.match(page, /\nw\n\n- ok git: git version 2\n- not there codex: gone\n {2}- fix: Install it\.\n/);
    assert.match(page, /Everything that is required is in order\.\n$/);
    const repair = { explains: '', does: () => Promise.resolve() };
    const broken = doctorPage('1.0.0', [
      { title: 'w', checks: [{ ...optional, required: true, repair }] },
    ]).text.toString();
    assert.match(
      broken,
      /- FAIL codex: gone\n {2}- fix: Install it\.\n {2}- or: press “Repair…”, or run mission doctor --repair\n/,
    );
    assert.match(broken, /not in order/);
  });

  it('is plain text: an editor shows it as it stands', () => {
    const detail = '/home/my_user/*node* [x](y) <b> #1';
    const page = doctorPage('1.0.0', [{ title: 'my_app', checks: [{ ...ok, detail }] }]).text.toString();
    assert.ok(page.includes(`- ok git: ${detail}\n`), page);
    assert.doesNotMatch(page, /\\|\*\*|^#/m);
  });

  it('has the checks of mission doctor, without a folder those of the machine', async function () {
    const settings = (): { path: null; extraArgs: string[]; envNames: string[]; model: null } => ({
      path: null,
      extraArgs: ['--dangerously-skip-permissions'],
      envNames: [],
      model: null,
    });
    const workers = createWorkerCatalog({ ...agentCatalog, settings, environment: {} });
    const ports = createDoctorPorts({ supervisorFile: __filename, toolVersion: '1.0.0' }, { kind: 'in_process' });
    const request = {
      workspaceDir: null,
      trusted: false,
      workers,
      plans: planFiles,
      extraArgs: () => settings().extraArgs,
    };
    const checks = await doctorChecks(request, ports);
    assert.deepEqual(
      checks.map(({ id }) => id),
      ['node', 'sqlite', 'git', 'installation', ...agentNames, 'model-policy', 'sandbox'],
    );
    assert.match(checks.find(({ id }) => id === 'claude')?.detail ?? '', /^NON_COMPLIANT: .* are refused\.$/);
  });
});
