import assert from 'node:assert/strict';
import { agentNames } from '../../../src/contracts/vocabulary/workers';
import { done } from '../../../src/base/outcome';
import type { DoctorCheck } from '../../../src/engine/ports/doctor';
import { doctorPage, doctorRemedies } from '../../../src/extension/pages/doctor';

const repair = { explains: 'x', does: () => Promise.resolve(done(null)) };
const failing = (id: string, more: Partial<DoctorCheck> = {}): DoctorCheck => ({
  id,
  ok: false,
  required: false,
  detail: 'It is not there. $(bug) [x](command:y); rm -rf /',
  fix: 'npm install -g evil',
  ...more,
});
const window = { trusted: true, defaultWorker: 'opencode' } as const;
const kinds = (check: DoctorCheck, trusted = true): readonly string[] =>
  doctorRemedies(check, { ...window, trusted }).map((remedy) =>
    remedy.kind === 'setting' ? `setting ${remedy.id}` : remedy.kind === 'terminal' ? `$ ${remedy.line}` : remedy.kind,
  );

describe('what the doctor’s page offers beside a check', () => {
  it('is an installation or a setting for an agent that was not found, of our own words alone', () => {
    for (const name of agentNames) {
      const [install = '', ...others] = kinds(failing(name));
      assert.match(install, /^\$ npm install -g [@a-z/-]+$/, name);
      // The default worker can be another one.
      const settings = name === 'opencode' ? [`${name}.path`, 'defaultWorker'] : [`${name}.path`];
      assert.deepEqual(
        others,
        settings.map((id) => `setting missionControl.${id}`),
      );
    }
  });

  it('is the setting for arguments that are refused, and a way to sign in for an agent that is there', () => {
    assert.deepEqual(kinds(failing('claude', { detail: 'NON_COMPLIANT: no.' })), [
      'setting missionControl.claude.extraArgs',
    ]);
    assert.deepEqual(kinds(failing('codex', { ok: true })), ['$ codex login']);
  });

  it('is a repair where the doctor has one, the trust of the workspace, the setting of the sandbox', () => {
    assert.deepEqual(kinds(failing('state-folder', { repair })), ['repair']);
    assert.deepEqual(kinds(failing('trust'), false), ['trust']);
    assert.deepEqual(kinds(failing('supervisor'), false), ['trust']);
    assert.deepEqual(kinds(failing('sandbox')), ['setting missionControl.confinement']);
    assert.deepEqual(kinds(failing('sandbox-codex')), [
      'setting missionControl.codex.path',
      'setting missionControl.confinement',
      '$ codex --version',
    ]);
  });

  it('is nothing for what is in order or unknown, and prepares nothing where nothing may be started', () => {
    assert.deepEqual(kinds(failing('node', { ok: true })), []);
    assert.deepEqual(kinds(failing('journal-of-tomorrow')), []);
    for (const id of ['git', 'state-folder', ...agentNames])
      assert.ok(
        kinds(failing(id, { repair }), false).every((kind) => kind.startsWith('setting')),
        id,
      );
  });

  it('stands beside its check, as a button that names it', () => {
    const checks = [failing('git'), failing('claude', { fix: 'Install it.' }), failing('codex')];
    const { body, remedies } = doctorPage('1.0.0', [{ title: 'w', checks }], window);
    const buttons = [
      ...body.toString().matchAll(/href="command:missionControl\.doctor\.remedy\?([^"]*)">([^<]*)</g),
    ].map(([, argument = '', label]) => [JSON.parse(decodeURIComponent(argument)) as unknown, label]);
    assert.deepEqual(
      buttons,
      [...remedies].map(([name, { title }]) => [[name], title.toString()]),
    );
    assert.equal(remedies.size, 5);
  });

  it('stands for the same on a page that is drawn anew, or for nothing where its check is gone', () => {
    const page = (...checks: readonly DoctorCheck[]): ReturnType<typeof doctorPage>['remedies'] =>
      doctorPage('1.0.0', [{ title: 'w', checks }], window).remedies;
    const [one, other] = [failing('journal', { repair }), failing('lease', { repair })];
    const [named = assert.fail('no button')] = page(other).keys();
    const anew = page(one, other).get(named);
    assert.equal(anew?.kind === 'repair' && anew.check.id, 'lease');
    assert.equal(page(one).get(named), undefined);
  });
});
