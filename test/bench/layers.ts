import { execFileSync, spawnSync, type StdioOptions } from 'node:child_process';
import { closeSync, mkdirSync, mkdtempSync, openSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { randomUUID } from 'node:crypto';
import { bubblewrapForTests } from '../../scripts/bubblewrap.mjs';
import { filterDescriptor, systemCallFilter } from '../../src/adapters/sandbox/bubblewrap/systemCalls';
import { readStrays } from '../../src/adapters/sandbox/layers/delta';
import { createSandboxes } from '../../src/adapters/sandbox/sandboxes';
import { createWorkspace } from '../../src/adapters/workspace/workspace';
import type { SandboxLine } from '../../src/engine/ports/sandbox';
import { launcher, opened, timedInTurns } from './launch';
import { median, wallTime, type Line } from './measure';
import { repository, timesIn } from './mission';

const [folders, filesOfEach] = [2_000, 50];
/** Tasks of each mission. */
const tasks = 10;
type Kind = 'layer' | 'binds';
const kinds: readonly Kind[] = ['layer', 'binds'];

/** A layer over the workspace against binds: real mounts, in turns; none without bubblewrap or layers. */
export async function layersBench(scratch: string): Promise<readonly Line[]> {
  const bwrap = bubblewrapForTests(process.cwd());
  if (bwrap.missing !== undefined) return [];
  const search = `${path.dirname(bwrap.file)}:${process.env['PATH'] ?? ''}`;
  const workspace = largeRepository(scratch);
  const bed = await bedOf(scratch, search, workspace);
  if (typeof bed === 'string') {
    process.stderr.write(`layers are left out: ${bed}\n`);
    return [];
  }
  const size = (folders * filesOfEach).toLocaleString('en');
  const walks = [
    [`find of ${size} files`, ['find', workspace, '-type', 'f'], 2],
    [`ls -lR of ${size} files`, ['ls', '-lR', workspace], 2.2],
    [`git status of ${size} files`, ['git', '-C', workspace, 'status', '--porcelain'], 2.6],
  ] as const;
  const lines: Line[] = await launches(bed, search, workspace);
  for (const [name, argv, most] of walks)
    lines.push({
      ...{ name: `${name} through a layer`, unit: 'ms', against: 'the same through binds' },
      ...(await inTurns(5, async (kind) => {
        const sandbox = await bed(kind);
        return () => ran(scratch, sandbox, argv);
      })),
      aim: { of: 'ratio', is: 'at_most', value: most },
      why: 'each launch has a mount of its own, and the kernel looks up its names and inodes anew, in two trees.',
    });
  lines.push(...(await deltas(scratch, bed, workspace)));
  lines.push(await exitToStart(scratch, search));
  return lines;
}

type Bed = (kind: Kind) => Promise<SandboxLine>;

/** Returns command lines of launches that have not begun; a sentence: why no layer can be made. */
async function bedOf(scratch: string, search: string, workspace: string): Promise<Bed | string> {
  const home = mkdtempSync(path.join(scratch, 'home-'));
  const environment = { PATH: search, HOME: home };
  const state = mkdtempSync(path.join(scratch, 'state-'));
  const sandboxes = createSandboxes({ environment, home, state, caches: () => path.join(state, 'caches') });
  const standing = await sandboxes.standing();
  if (standing.kind === 'unavailable') return standing.reason;
  const bed: Bed = async (kind) => {
    const run_dir = path.join(workspace, '.mission-control/missions/m/runs', randomUUID());
    mkdirSync(run_dir, { recursive: true });
    const asked = { workspace_dir: workspace, run_dir, writable: ['out'], granted: [], home: [], network: false };
    const sealed = ['.git', '.mission-control', 'docs/plans'];
    return opened(await sandboxes.line({ ...asked, sealed, ...(kind === 'layer' && { layered: true as const }) }));
  };
  const { no_tree, layers } = await bed('layer');
  return layers?.tree ? bed : (no_tree ?? standing.no_layers ?? 'this system has none');
}

/** Whole launches with their supervisor, as the launches of a command have it. */
async function launches(bed: Bed, search: string, workspace: string): Promise<Line[]> {
  const launch = await launcher({ PATH: search });
  const rounds = await timedInTurns(
    kinds.map((kind) => async () => {
      const { means, argv, layers } = await bed(kind);
      const run = path.join(workspace, '.mission-control/missions/m/runs', randomUUID());
      await launch(run, workspace, { means, argv: [...argv], ...(layers && { layers }) });
    }),
  );
  const [layer = 0, binds = 0] = [0, 1].map((at) => Math.min(...rounds.map((round) => round[at] ?? Infinity)));
  const unit = 'ms';
  return [
    {
      ...{ name: 'launch with a layer over the workspace', unit, ours: layer, limit: binds },
      ...{ against: `the same with binds, each the fastest of ${rounds.length}`, aim: null },
    },
    {
      ...{
        name: 'what such a layer costs more',
        unit,
        ours: layer - binds,
        limit: null,
        against: '(their difference)',
      },
      aim: { of: 'value', is: 'at_most', value: 15 },
      why: 'the program mount starts in a sandbox of its own, and the layer is made, read and removed.',
    },
  ];
}

/** What a launch changed elsewhere, read from its layer, against a difference of the workspace with the same changes. */
async function deltas(scratch: string, bed: Bed, workspace: string): Promise<readonly Line[]> {
  const known = createWorkspace(workspace, { user_state: mkdtempSync(path.join(scratch, 'state-')) });
  const request = { mission_id: 'm', forbidden_paths: [], paths: ['out'] };
  const lines: Line[] = [];
  for (const changes of [10, 1_000, 50_000]) {
    const write = `n=0; while [ $n -lt ${changes} ]; do echo $n > f/$((n % ${folders}))/new$n; n=$((n + 1)); done`;
    const times = await inTurns(3, async (kind) => {
      if (kind === 'layer') {
        const sandbox = await bed(kind);
        ran(scratch, sandbox, ['sh', '-c', `cd '${workspace}'; ${write}`]);
        return async () => {
          const tree = sandbox.layers?.tree;
          const found = tree && (await readStrays(tree, new Set()));
          if (found?.changes.length !== Math.min(100, changes)) throw new Error(JSON.stringify(found));
        };
      }
      const { manifest_sha256: baseline_sha256 } = opened(await known.baseline(request));
      execFileSync('sh', ['-c', write], { cwd: workspace });
      return async () => {
        opened(await known.difference({ ...request, run_dir: path.join(scratch, 'run'), baseline_sha256 }));
        execFileSync('git', ['clean', '-qfd', 'f'], { cwd: workspace });
      };
    });
    lines.push({
      ...{ name: `reading ${changes} changes of a layer`, unit: 'ms', ...times },
      ...{ against: 'a difference of the workspace that finds them', aim: { of: 'ratio', is: 'at_most', value: 1 } },
      why: 'each changed file is read for its digest and its lines, and git is asked which of them it ignores.',
    });
  }
  return lines;
}

/** Where the state of Mission Control lies in the workspace, no layer lies over it. */
async function exitToStart(scratch: string, search: string): Promise<Line> {
  const { PATH, MISSION_CONTROL_HOME } = process.env;
  process.env['PATH'] = search;
  try {
    const times = await inTurns(3, async (kind) => {
      const dir = mkdtempSync(path.join(scratch, 'mission-'));
      process.env['MISSION_CONTROL_HOME'] =
        kind === 'layer' ? `${dir}-state` : path.join(dir, '.mission-control/state');
      const plan = repository(dir, tasks);
      const { exitToStart: ms } = await timesIn(dir, plan, tasks, 'required');
      return ms;
    });
    return {
      ...{ name: `worker exit to next start in layers, ${tasks} tasks`, unit: 'ms', ...times },
      ...{ against: 'the same with binds', aim: { of: 'ratio', is: 'at_most', value: 1.1 } },
      why: 'the layer is read before the exit record is written, and the next one is mounted before its worker starts.',
    };
  } finally {
    Object.assign(process.env, { PATH });
    if (MISSION_CONTROL_HOME === undefined) delete process.env['MISSION_CONTROL_HOME'];
    else process.env['MISSION_CONTROL_HOME'] = MISSION_CONTROL_HOME;
  }
}

/** Medians. `prepare` is not timed; it returns the work, or what something else timed. The first round does not count. */
async function inTurns(
  rounds: number,
  prepare: (kind: Kind) => Promise<number | (() => Promise<void> | void)>,
): Promise<{ readonly ours: number; readonly limit: number }> {
  const taken: Record<Kind, number[]> = { layer: [], binds: [] };
  for (let round = 0; round <= rounds; round++)
    for (const kind of kinds) {
      const work = await prepare(kind);
      const began = wallTime();
      if (typeof work !== 'number') await work();
      if (round > 0) taken[kind].push(typeof work === 'number' ? work : wallTime() - began);
    }
  return { ours: median(taken.layer), limit: median(taken.binds) };
}

function ran(scratch: string, { argv, layers }: SandboxLine, command: readonly string[]): void {
  const [file = '', ...args] = [...(layers?.around ?? []), ...argv, ...command];
  const stdio: StdioOptions = Array.from({ length: filterDescriptor }, (_, at) => (at === 2 ? 'pipe' : 'ignore'));
  const rules = path.join(scratch, 'rules');
  writeFileSync(rules, systemCallFilter());
  const filter = openSync(rules, 'r');
  const { status, stderr } = spawnSync(file, args, { stdio: [...stdio, filter], encoding: 'utf8' });
  closeSync(filter);
  if (status !== 0) throw new Error(stderr);
}

function largeRepository(scratch: string): string {
  const workspace = mkdtempSync(path.join(scratch, 'layers-'));
  for (const one of ['out', 'docs/plans']) mkdirSync(path.join(workspace, one), { recursive: true });
  for (let folder = 0; folder < folders; folder++) {
    mkdirSync(path.join(workspace, 'f', `${folder}`), { recursive: true });
    for (let file = 0; file < filesOfEach; file++)
      writeFileSync(path.join(workspace, 'f', `${folder}`, `file${file}`), `${folder} ${file % 5}\n`);
  }
  writeFileSync(path.join(workspace, '.gitignore'), '.mission-control/\n');
  for (const args of [
    ['init', '-q'],
    ['add', '-A'],
  ])
    execFileSync('git', args, { cwd: workspace });
  execFileSync('git', ['-c', 'user.name=b', '-c', 'user.email=b@example.invalid', 'commit', '-qm', 'all'], {
    cwd: workspace,
  });
  return workspace;
}
