import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { sha256Of } from '../../src/adapters/files/bytes/sha256';
import { copiesOf } from '../../src/adapters/workspace/manifest/place';
import type { Left } from '../../src/base/fileState';
import type { UndoStep } from '../../src/core/lifecycle/changes/undoPlan';

const program = path.resolve('dist-test/kill/undo.program.js');
/** Each so-manieth point. */
const every = process.env['MISSION_TESTS_TIER'] === 'quick' ? 29 : 2;

describe('kill -9 of an undo', function () {
  this.timeout(600_000);
  let folder: string;
  beforeEach(() => (folder = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'mission-undo-kill-')))));
  afterEach(() => fs.rmSync(folder, { recursive: true, force: true }));

  const file = (text: string): Left => ({ kind: 'file', sha256: sha256Of(text), mode: null });
  const nothing: Left = { kind: 'nothing' };
  /** What the attempt left, and what was there before it. */
  const changes: Readonly<Record<string, readonly [left: string | null, before: string | null]>> = {
    'src/changed.txt': ['after\n', 'before\n'],
    'src/new/deep/made.txt': ['made\n', null],
    'src/old/deleted.txt': [null, 'deleted\n'],
  };
  const at = (name: string): string => path.join(folder, 'work', name);
  const text = (name: string): string | null => (fs.existsSync(at(name)) ? fs.readFileSync(at(name), 'utf8') : null);
  const write = (to: string, content: string): void => {
    fs.mkdirSync(path.dirname(to), { recursive: true });
    fs.writeFileSync(to, content);
  };

  function begin(redo: boolean): string {
    fs.rmSync(folder, { recursive: true, force: true });
    const user_state = path.join(folder, 'state');
    fs.mkdirSync(at('.mission-control/missions/M'), { recursive: true });
    const steps = Object.entries(changes).map(([name, [left, before]]): UndoStep => {
      const [from, to] = redo ? [before, left] : [left, before];
      if (from !== null) write(at(name), from);
      if (to !== null) write(path.join(copiesOf(user_state, at('.').replace(/\/\.?$/, ''), 'M'), sha256Of(to)), to);
      const state = (one: string | null): Left => (one === null ? nothing : file(one));
      return { path: name, from: state(from), to: state(to), kept: true };
    });
    write(at('src/beside.txt'), 'beside\n');
    const request = { mission_id: 'M', steps, leaves: [], baseline_sha256: null, head: null };
    const given = path.join(folder, 'given.json');
    fs.writeFileSync(given, JSON.stringify({ place: { root: at('.').replace(/\/\.?$/, ''), user_state }, request }));
    return given;
  }

  const run = (given: string, point?: number): ReturnType<typeof spawnSync> & { readonly stdout: unknown } =>
    spawnSync(process.execPath, [program, given, ...(point === undefined ? [] : [String(point)])], {
      encoding: 'utf8',
      env: { ...process.env, TMPDIR: folder },
    });

  for (const redo of [false, true])
    it(`leaves each file whole at any step, and the next call finishes it${redo ? ', for a redo too' : ''}`, () => {
      const first = run(begin(redo));
      assert.equal(first.status, 0, String(first.stderr));
      const { points } = JSON.parse(String(first.stdout)) as { points: string[] };
      assert.ok(points.length > 20, points.join('\n'));
      for (let point = 1; point <= points.length; point += every) {
        const given = begin(redo);
        const killed = run(given, point);
        const where = points[point - 1] ?? '';
        assert.equal(killed.signal, 'SIGKILL', where);
        for (const [name, whole] of Object.entries(changes))
          assert.ok(whole.includes(text(name)), `${name} is torn at ${where}: ${String(text(name))}`);
        const again = run(given);
        assert.equal(again.status, 0, `${where}: ${String(again.stderr)}`);
        const { facts } = JSON.parse(String(again.stdout)) as { facts: { paths: unknown; left: unknown } };
        assert.deepEqual({ paths: facts.paths, left: facts.left }, { paths: Object.keys(changes), left: [] }, where);
        for (const [name, [left, before]] of Object.entries(changes))
          assert.equal(text(name), redo ? left : before, `${name} after ${where}`);
        assert.equal(text('src/beside.txt'), 'beside\n');
        assert.equal(fs.existsSync(at('.mission-control/missions/M/undo')), false, where);
      }
    });
});
