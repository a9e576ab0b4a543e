import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { planFiles } from '../../../src/adapters/documents/planFiles';
import type { MachineConfinement } from '../../../src/core/plan/approvalSummary';
import { allFields } from '../../../src/core/plan/fields/planFields';
import { askDisk } from '../../../src/engine/plans/disk';
import { namedPathsOf } from '../../../src/core/plan/namedFiles';
import { command, includes, set, surfaces } from './surfaces';
import { harmless, sandboxedMachine, summaryOf, type Change } from './summaries';

/** A plan that opens each field of the schema which gives a right. */
const opened: Readonly<Record<string, Change>> = {
  'tasks.paths': (_, task) => Object.assign(task, { paths: ['docs/opened'] }),
  'tasks.worker': (_, task) => Object.assign(task, { worker: 'codex' }),
  'tasks.command': command,
  'tasks.verify': (_, task) => Object.assign(task, { verify: [['node', '--opened']] }),
  'execution.env': set({ env: ['OPENED'] }),
  'execution.confinement': set({ confinement: 'off' }),
  'execution.network': set({ network: true }),
  'execution.devices': set({ devices: ['/dev/kvm'] }),
  'execution.agent_network': set({ agent_network: 'open' }),
  'execution.project_instructions': set({ project_instructions: ['AGENTS.md'] }),
  'execution.scratch': set({ scratch: ['opened/'] }),
  'execution.limits.processes': set({ limits: { processes: 9_000 } }),
  'execution.limits.memory_mb': set({ limits: { memory_mb: 90_000 } }),
  'execution.limits.file_mb': set({ limits: { file_mb: 90_000 } }),
  'execution.recovery.allow': set({ recovery: { allow: ['fix_permissions'] } }),
  'execution.recovery.directories': set({ recovery: { directories: ['/opened'] } }),
  'execution.recovery.after_limit': set({ recovery: { after_limit: 'resume' } }),
  'milestones.validate.worker': (plan) =>
    Object.assign(plan, { milestones: [{ id: 'M1', title: 'x', validate: { worker: 'gemini', assertions: ['x'] } }] }),
  'milestones.validate.verify': (plan) =>
    Object.assign(plan, { milestones: [{ id: 'M1', title: 'x', validate: { verify: [['node', '--opened']] } }] }),
};

describe('what a plan opens', () => {
  it('is changed here for every field that opens something', () => {
    const opening = allFields.flatMap(([place, { opens }]) => (opens ? [place] : []));
    assert.deepEqual(Object.keys(opened).sort(), opening.sort());
  });

  it('has no path that a task may write whose intent only reads', () => {
    const reads: Change = (plan, task) => {
      harmless(plan, task);
      Object.assign(task, { intent: 'research', paths: ['docs/read'] });
    };
    for (const shown of Object.values(surfaces)) {
      const text = shown(summaryOf(reads, sandboxedMachine));
      assert.match(text, /is about\W+docs\/read/);
      assert.doesNotMatch(text, /may write\W+docs\/read/);
    }
  });

  for (const [field, change] of Object.entries(opened))
    for (const [name, shown] of Object.entries(surfaces))
      it(`has its line at the top of the ${name} for ${field}`, () => {
        const held = { ...sandboxedMachine, agent_network: field === 'execution.agent_network' ? null : 'provider' };
        const machine = held as MachineConfinement;
        const closed: Change = (plan, task) => {
          harmless(plan, task);
          if (field === 'execution.agent_network') set({ agent_network: 'provider' })(plan, task);
        };
        const top = (one: Change): readonly string[] => {
          const text = shown(summaryOf(one, machine));
          const lines = text.slice(text.indexOf('What it opens')).split('\n');
          return lines.slice(1, lines.indexOf(''));
        };
        const open: Change = (plan, task) => {
          closed(plan, task);
          change(plan, task);
          if (field.startsWith('milestones')) task['milestone'] = 'M1';
        };
        const before = new Set(top(closed));
        const added = top(open).filter((line) => !before.has(line));
        assert.notDeepEqual(added, [], top(open).join('\n'));
      });

  for (const [name, shown] of Object.entries(surfaces))
    it(`begins on the ${name} with the whole network, and that commands read all that this user may read`, () => {
      const text = shown(summaryOf(set({ network: true, scratch: ['a/'] }), sandboxedMachine));
      const [, first = ''] = text.slice(text.indexOf('What it opens')).split('\n');
      assert.match(
        first,
        /^(?: {2}! )?Commands reach the whole network, also what listens on this machine, and may read all that this user may read\.$/,
      );
      assert.ok(!shown(summaryOf(undefined, sandboxedMachine)).includes('whole network'));
    });
});

describe('what commands may read', () => {
  const both =
    (changes: Record<string, unknown>): Change =>
    (plan, task) => {
      set(changes)(plan, task);
      command(plan, task);
    };

  it('stands once on an approval', () => {
    for (const changes of [{}, { network: true }]) {
      const text = surfaces.screen(summaryOf(both(changes), sandboxedMachine));
      assert.equal(text.match(/ommands[^\n]* may read all that this user may read/g)?.length, 1, text);
      assert.doesNotMatch(text, /holds it back[^\n]*may read/);
    }
  });
});

describe('paths that other programs run', () => {
  for (const [name, shown] of Object.entries(surfaces))
    it(`have a line of their own at the top of the ${name}`, () => {
      const paths = ['.vscode/tasks.json', '.github/workflows/ci.yml', 'package.json', 'src'];
      const text = shown(summaryOf((_, task) => Object.assign(task, { paths }), sandboxedMachine));
      includes(
        text,
        'Outside the sandbox VS Code runs by itself what tasks write to .vscode/tasks.json',
        'Outside the sandbox the CI of the repository, with its secrets, runs by itself what tasks write to .github/workflows/ci.yml',
        'Outside the sandbox npm or another package manager runs what tasks write to package.json',
      );
      assert.ok(!shown(summaryOf(undefined, sandboxedMachine)).includes('Outside the sandbox'));
    });

  it('are all named, however many a task may write', () => {
    const paths = Array.from({ length: 12 }, (_, index) => `.github/workflows/w${index}.yml`);
    for (const shown of Object.values(surfaces)) {
      const text = shown(summaryOf((_, task) => Object.assign(task, { paths }), sandboxedMachine));
      const line = text.split('\n').find((one) => one.includes('runs by itself what tasks write to')) ?? text;
      for (const name of paths) assert.ok(line.includes(name), line);
    }
  });
});

describe('files below an approved folder that other programs run', () => {
  let root = '';
  before(() => (root = mkdtempSync(path.join(tmpdir(), 'mission-below-'))));
  after(() => rmSync(root, { recursive: true }));

  it('are found on the disk for a person who approves, and named as examples', async () => {
    for (const file of ['app/package.json', 'app/sub/.envrc', 'app/node_modules/x/package.json', 'app/src/index.ts']) {
      mkdirSync(path.dirname(path.join(root, file)), { recursive: true });
      writeFileSync(path.join(root, file), '');
    }
    const plan = { tasks: [{ id: 'T1', paths: ['app/', 'README.md'] }] };
    const asked = { workspaceDir: root, asksNamed: true } as const;
    const { below = [] } = await askDisk(planFiles, plan, null, asked);
    assert.deepEqual([...below].sort(), ['app/package.json', 'app/src/index.ts', 'app/sub/.envrc']);
    assert.equal((await askDisk(planFiles, plan, null, { workspaceDir: root })).below, undefined);
    const change: Change = (_, task) => Object.assign(task, { paths: ['app', 'Makefile'] });
    for (const shown of Object.values(surfaces)) {
      const text = shown(summaryOf(change, sandboxedMachine, { below }));
      includes(
        text,
        'direnv and the like, runs by itself what tasks change or make anew, such as app/sub/.envrc',
        'package manager runs what tasks change or make anew, such as app/package.json',
        'build tool runs what tasks write to Makefile',
      );
      assert.ok(!text.includes('node_modules'), text);
    }
  });

  it('are those of the folder of hooks too that the configuration of git names', async () => {
    execFileSync('git', ['init', '-q', root]);
    const hooksOf = async (): Promise<string | null | undefined> => {
      const plan = { tasks: [{ id: 'T1', paths: ['tools/'] }] };
      return (await askDisk(planFiles, plan, null, { workspaceDir: root, asksNamed: true })).hooks;
    };
    assert.equal(await hooksOf(), null);
    execFileSync('git', ['-C', root, 'config', 'core.hooksPath', '/elsewhere']);
    assert.equal(await hooksOf(), null);
    execFileSync('git', ['-C', root, 'config', 'core.hooksPath', 'tools/hooks']);
    assert.equal(await hooksOf(), 'tools/hooks');
    for (const paths of [['tools'], ['tools/hooks/pre-commit']]) {
      const change: Change = (_, task) => Object.assign(task, { paths });
      for (const shown of Object.values(surfaces)) {
        const line = `in the hooks that its configuration names, runs by itself what tasks write to ${paths.join()}`;
        includes(shown(summaryOf(change, sandboxedMachine, { hooks: 'tools/hooks' })), line);
        assert.ok(!shown(summaryOf(change, sandboxedMachine)).includes(line));
      }
    }
  });
});

describe('scripts that a command names', () => {
  let root = '';
  before(() => (root = mkdtempSync(path.join(tmpdir(), 'mission-named-'))));
  after(() => rmSync(root, { recursive: true }));

  it('are found in the workspace, and listed with what they are and that the approval does not bind them', async () => {
    mkdirSync(path.join(root, 'src'));
    writeFileSync(path.join(root, 'src/s.sh'), 'echo one\n');
    writeFileSync(path.join(root, 'src/out.sh'), 'echo two\n');
    writeFileSync(path.join(root, 'run_it'), 'x'.repeat(40_000));
    symlinkSync('run_it', path.join(root, 'linked'));
    const task = { command: ['bash', './src/s.sh', 'nowhere.sh', '/etc/passwd', '../x', 'run_it', 'src'] };
    const plan = {
      tasks: [task, { verify: [['sh', 'src/out.sh']] }],
      milestones: [{ validate: { verify: [['src/s.sh', '--by=./linked']] } }],
    };
    const named = await planFiles.named(root, namedPathsOf(plan, root));
    assert.deepEqual(
      named.map((file) => [file.path, file.read?.bytes]),
      [
        ['src/s.sh', 9],
        ['run_it', 40_000],
        ['src/out.sh', 9],
        ['linked', undefined],
      ],
    );
    const written: Change = (_, changed) => {
      command({}, changed);
      changed['paths'] = ['src/out.sh'];
    };
    const inScratch: Change = (plan, changed) => {
      command(plan, changed);
      plan['execution'] = { ...(plan['execution'] as object), scratch: ['src', 'node_modules', '.venv'] };
    };
    const sha256 = '[0-9A-F]{64}';
    for (const shown of Object.values(surfaces)) {
      const text = shown(summaryOf(written, sandboxedMachine, { named }));
      const line = (file: string, end: string): RegExp =>
        new RegExp(`Commands name ${file} \\(9 bytes, SHA-256 ${sha256}\\), which the approval does not bind${end}\\.`);
      assert.match(text, line('src/s\\.sh', ''));
      assert.match(text, line('src/out\\.sh', ', and tasks may write it'));
      const scratch = shown(summaryOf(inScratch, sandboxedMachine, { named }));
      assert.match(scratch, line('src/s\\.sh', ', and tasks may write it'));
      includes(scratch, 'npm or another package manager runs what tasks write to node_modules');
      assert.ok(!text.includes('Commands name nowhere.sh'), text);
      includes(text, 'Commands name linked, which the approval does not bind', 'no program or file that they run');
    }
  });
});
