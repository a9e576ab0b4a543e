import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { cliFile } from './cliBed';

interface Printed {
  readonly code: string;
  readonly to_fill_in: readonly string[];
  readonly files: readonly { readonly findings: readonly { readonly code: string; readonly pointer: string }[] }[];
}

describe('mission context new', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'context-new-'));
    writeFileSync(path.join(folder, 'package.json'), '{"name":"shelf","dependencies":{"fastify":"5"}}');
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  const mission = (...args: string[]): { code: number | null; said: string; json: Printed } => {
    const { status, stdout, stderr } = spawnSync(process.execPath, [cliFile, ...args], {
      cwd: folder,
      encoding: 'utf8',
    });
    return {
      code: status,
      said: stdout + stderr,
      json: args.includes('--json') ? (JSON.parse(stdout) as Printed) : ({} as Printed),
    };
  };
  const file = (): string => path.join(folder, 'ai.project.json');

  it('writes what it detects, names what a person has to fill in, and check finds exactly that', () => {
    const { code, json } = mission('context', 'new', '--json');
    assert.equal(code, 0);
    const made = JSON.parse(readFileSync(file(), 'utf8')) as {
      meta: { project_name: string };
      tooling: { frameworks: string[] };
    };
    assert.equal(made.meta.project_name, 'shelf');
    assert.deepEqual(made.tooling.frameworks, ['fastify']);
    const checked = mission('check', 'ai-project', 'ai.project.json', '--json');
    assert.equal(checked.code, 1);
    const empty = checked.json.files[0]?.findings.filter((finding) => finding.code === 'PROJECT_FIELD_EMPTY');
    assert.deepEqual(
      empty?.map(({ pointer }) => pointer.slice(1).replaceAll('/', '.')),
      json.to_fill_in,
    );
  });

  it('with every open field set on the command line it makes a file that is valid', () => {
    const set = {
      'meta.project_type': 'backend',
      'meta.project_stage': 'active',
      'meta.stability_target': 'production',
      'direction.primary_goal': 'Lend books.',
      'architecture.application_style': 'monolith',
      'tooling.api.style': 'rest',
      'tooling.data.storage_type': 'sqlite',
      'workflow.allowed_operations': 'add_feature,fix',
      'workflow.requires_adr_for': 'storage',
    };
    const made = mission(
      'context',
      'new',
      ...Object.entries(set).flatMap(([name, value]) => ['--set', `${name}=${value}`]),
    );
    assert.equal(made.code, 0, made.said);
    assert.doesNotMatch(made.said, /to fill in/);
    const checked = mission('check', 'ai.project.json', '--json');
    assert.equal(checked.code, 0, JSON.stringify(checked.json));
  });

  it('replaces nothing, follows no link, and says what a field cannot hold', () => {
    const wrong = mission('context', 'new', '--set', 'meta.project_type=shop');
    assert.equal(wrong.code, 2);
    assert.match(wrong.said, /meta\.project_type: it is one of web_app/);
    assert.match(mission('context', 'new', '--set', 'meta.projct_type=cli').said, /did you mean meta\.project_type/);
    assert.ok(!existsSync(file()));
    const elsewhere = path.join(folder, 'elsewhere.json');
    symlinkSync(elsewhere, file());
    const linked = mission('context', 'new', '--json');
    assert.equal(linked.json.code, 'PROJECT_FILE_EXISTS');
    assert.ok(!existsSync(elsewhere));
  });

  it('takes a decision record for what it is: a file of this folder with a status', () => {
    const sound = JSON.parse(readFileSync('test/fixtures/ai-project/sound.json', 'utf8')) as {
      tooling: { api: { locked: boolean } };
    };
    sound.tooling.api.locked = true;
    writeFileSync(file(), JSON.stringify(sound));
    const records = path.join(folder, 'docs', 'adr');
    mkdirSync(records, { recursive: true });
    const codes = (): readonly string[] =>
      mission('check', 'ai-project', 'ai.project.json', '--json').json.files[0]?.findings.map(({ code }) => code) ?? [];
    assert.deepEqual(codes(), ['PROJECT_LOCK_WITHOUT_ADR']);
    writeFileSync(path.join(folder, 'outside.md'), '## Status\n\nAccepted\n');
    symlinkSync(path.join(folder, 'outside.md'), path.join(records, 'ADR-0001-api-style.md'));
    assert.deepEqual(codes(), ['PROJECT_LOCK_WITHOUT_ADR'], 'a link is no record');
    writeFileSync(path.join(records, 'ADR-0002-api-style.md'), '# API\n\n## Status\n\nAccepted\n');
    assert.deepEqual(codes(), []);
  });
});
