import assert from 'node:assert/strict';
import { createDoctorPorts } from '../../../src/adapters/doctor/doctor';
import { planFiles } from '../../../src/adapters/documents/planFiles';
import { createWorkerCatalog, type WorkerSettings } from '../../../src/adapters/launches/workerCatalog';
import { doctorChecks } from '../../../src/engine/views/doctor';
import { done } from '../../../src/base/outcome';
import type { DoctorCheck } from '../../../src/engine/ports/doctor';
import { doctorPage, type DoctorSection } from '../../../src/extension/pages/doctor';
import { agentNames } from '../../../src/contracts/vocabulary/workers';
import { agentCatalog } from '../../../src/workers/registry';
import { textOfHtml } from '../../support/textOfHtml';

const ok: DoctorCheck = { id: 'git', ok: true, required: true, detail: 'git version 2', fix: '' };

const window = { trusted: true, defaultWorker: 'claude' } as const;

const shown = (sections: readonly DoctorSection[], trusted = true): string =>
  textOfHtml(doctorPage('1.0.0', sections, { ...window, trusted }).body.toString());

describe('the page of the doctor', () => {
  it('says what lacks, what to do, and whether it is required', () => {
    const optional: DoctorCheck = { id: 'codex', ok: false, required: false, detail: 'gone', fix: 'Install it.' };
    const page = shown([{ title: 'w', checks: [ok, optional] }]);
    assert.match(page, /\nw\nok git git version 2\n\nnot there codex gone\nInstall it\.\nInstall Codex in a Terminal /);
    assert.match(page, /^\nDoctor\nEverything that is required is in order; not there: codex\.\n/);
    const repair = { explains: '', does: () => Promise.resolve(done(null)) };
    const broken = shown([{ title: 'w', checks: [{ ...ok, ok: false, detail: 'gone', fix: 'Install it.', repair }] }]);
    assert.match(broken, /\nFAIL git gone\nInstall it\.\nRepair… Look for git in a Terminal\n/);
    assert.match(broken, /Something that is required is not in order: git\./);
  });

  it('says of a folder without trust that nothing starts there, before what is in order', () => {
    const trust: DoctorCheck = { id: 'trust', ok: false, required: false, detail: 'not trusted here', fix: '' };
    const page = shown([{ title: 'w', checks: [ok, trust, { ...trust, id: 'supervisor', detail: 'later' }] }], false);
    assert.match(page, /^\nDoctor\nNothing starts here before you trust this folder\.\n/);
    assert.match(page, /\nnot trusted trust not trusted here\n/);
    assert.match(page, /\nnot tried supervisor later\n/);
    assert.doesNotMatch(page, /in order|not there/);
    const broken = shown([{ title: 'w', checks: [{ ...ok, ok: false }, trust] }], false);
    assert.match(broken, /Something that is required is not in order: git\./);
  });

  it('shows what was found as text alone', () => {
    const detail = '/home/my_user/*node* [x](y) <b onclick="x"> #1';
    const page = doctorPage('1.0.0', [{ title: '<i>', checks: [{ ...ok, detail }] }], window).body.toString();
    assert.ok(textOfHtml(page).includes(`ok git ${detail}\n`), page);
    assert.doesNotMatch(page, /<[bi][ >]/);
  });

  it('has the checks of mission doctor, without a folder those of the machine', async function () {
    const settings = (): WorkerSettings => ({
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
      defaultWorker: 'codex',
    } as const;
    const checks = await doctorChecks(request, ports);
    assert.deepEqual(
      checks.map(({ id }) => id),
      ['node', 'sqlite', 'git', 'installation', 'key', 'starts', ...agentNames, 'model-policy', 'sandbox'],
    );
    assert.match(checks.find(({ id }) => id === 'claude')?.detail ?? '', /^NON_COMPLIANT: .* are refused\.$/);
  });

  it('says of the default worker alone that plans without a worker need it, and where another one is chosen', async () => {
    const settings = (): WorkerSettings => ({ path: null, extraArgs: [], envNames: [], model: null });
    const ports = createDoctorPorts({ supervisorFile: __filename, toolVersion: '1.0.0' }, { kind: 'in_process' });
    for (const [surface, option] of [
      ['terminal', '--worker NAME'],
      ['editor', 'the setting missionControl.defaultWorker'],
    ] as const) {
      const workers = createWorkerCatalog({ ...agentCatalog, surface, settings, environment: {} });
      const request = { workspaceDir: null, trusted: false, workers, plans: planFiles, extraArgs: () => [] };
      const checks = await doctorChecks({ ...request, defaultWorker: 'codex' }, ports);
      const said = agentNames.map((name) => checks.find(({ id }) => id === name));
      const needed = 'Plans that name codex or no worker are refused, because codex is the default worker.';
      assert.deepEqual(
        said.filter((check) => check?.detail.endsWith(` ${needed}`)).map((check) => check?.id),
        ['codex'],
      );
      assert.deepEqual(
        said.filter((check) => check?.fix.endsWith(` Or choose another default worker with ${option}.`)),
        said.filter((check) => check?.id === 'codex'),
      );
    }
  });
});
