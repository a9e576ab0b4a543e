import assert from 'node:assert/strict';
import { chmodSync, existsSync, lstatSync, readdirSync, readlinkSync, rmSync, statSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { CliBed, decision, start, type Ended } from './cliBed';

describe('the undo of an attempt', () => {
  let bed: CliBed;
  beforeEach(() => (bed = new CliBed()));
  afterEach(() => bed.dispose());

  const mended = (): string => JSON.stringify(path.join(bed.scratch, 'mended'));
  /** Changes, adds, deletes and moves files, then fails; writes one good file once the gate is open. */
  const fails = (): string => `${start}
    if (fs.existsSync(${mended()})) { fs.writeFileSync('docs/out/good.txt', 'good\\n'); process.exit(0); }
    fs.writeFileSync('docs/out/committed.txt', 'changed\\n'); fs.writeFileSync('docs/out/copied.txt', 'changed\\n');
    fs.mkdirSync('docs/out/new/deep', { recursive: true }); fs.writeFileSync('docs/out/new/deep/file.txt', 'new\\n');
    fs.rmSync('docs/out/tool.sh'); fs.chmodSync('docs/out/mode.sh', 0o755);
    fs.rmSync('docs/out/link'); fs.symlinkSync('copied.txt', 'docs/out/link');
    process.exit(1);`;
  const left = {
    'docs/out/committed.txt': 'changed\n',
    'docs/out/copied.txt': 'changed\n',
    'docs/out/new/deep/file.txt': 'new\n',
  };
  const blocked = async (id: string, script = fails()): Promise<void> => {
    bed.write('docs/out/committed.txt', 'committed\n');
    bed.git('add', '.');
    bed.git('commit', '-qm', 'more');
    bed.write('docs/out/copied.txt', 'copied\n');
    bed.write('docs/out/tool.sh', 'tool\n');
    chmodSync(bed.at('docs/out/tool.sh'), 0o750);
    bed.write('docs/out/mode.sh', 'mode\n');
    symlinkSync('committed.txt', bed.at('docs/out/link'));
    const run = await bed.mission('run', bed.plan(id, [{ script }]));
    assert.equal(run.code, 3, run.stderr);
  };
  const isBefore = (): void => {
    assert.equal(bed.read('docs/out/committed.txt'), 'committed\n');
    assert.equal(bed.read('docs/out/copied.txt'), 'copied\n');
    assert.equal(bed.read('docs/out/tool.sh'), 'tool\n');
    assert.equal(statSync(bed.at('docs/out/tool.sh')).mode & 0o777, 0o750);
    assert.equal(statSync(bed.at('docs/out/mode.sh')).mode & 0o111, 0);
    assert.equal(readlink('docs/out/link'), 'committed.txt');
    assert.equal(existsSync(bed.at('docs/out/new')), false, 'a folder that the attempt made is gone');
  };
  const readlink = (name: string): string => readlinkSync(bed.at(name));
  const ok = (ended: Ended): Ended => {
    assert.equal(ended.code, 0, ended.stdout + ended.stderr);
    return ended;
  };
  const paths = ['committed.txt', 'copied.txt', 'link', 'mode.sh', 'new/deep/file.txt', 'tool.sh'].map(
    (name) => `docs/out/${name}`,
  );

  it('puts every file back, and a retry starts clean', async () => {
    await blocked('back');
    const looked = ok(await bed.mission('undo', 'back', 'T1', '--dry-run')).json as unknown as {
      files: { path: string; does: string }[];
      left: unknown[];
    };
    assert.deepEqual(
      looked.files.map((file) => file.path),
      paths,
    );
    assert.deepEqual(looked.left, []);
    for (const [name, text] of Object.entries(left)) assert.equal(bed.read(name), text, 'a preview changes nothing');
    const undone = ok(await bed.mission('undo', 'back', 'T1', ...decision)).json as unknown as { paths: string[] };
    assert.deepEqual(undone.paths, paths);
    isBefore();
    bed.open('mended');
    ok(await bed.mission('retry', 'back', 'T1', ...decision));
    const verified = await bed.mission('evidence', 'verify', 'back');
    assert.equal(verified.code, 0, verified.stdout);
    assert.deepEqual(
      verified.json.findings.filter(({ code }) => code === 'OUTPUT_CHANGED_SINCE'),
      [],
    );
    const { undone: recorded } = JSON.parse(bed.read('docs/ops/executions/back/TASK_T1.json')) as {
      undone: { attempt: number; paths: string[]; decision: { actor: { name: string } } }[];
    };
    assert.deepEqual(
      recorded.map((one) => [one.attempt, one.paths, one.decision.actor.name]),
      [[1, paths, 'Grace']],
    );
  });

  it('puts a file back that became a folder, and a folder that became a file', async () => {
    for (const name of ['was-file', 'was-folder/deep/a', 'was-folder/b', 'kept'])
      bed.write(`docs/out/${name}`, `${name}\n`);
    symlinkSync('kept', bed.at('docs/out/link'));
    symlinkSync('was-folder', bed.at('docs/out/led'));
    const script = `${start}
      const at = (name) => 'docs/out/' + name;
      for (const name of ['was-file', 'was-folder', 'kept']) fs.rmSync(at(name), { recursive: true });
      fs.mkdirSync(at('was-file/in'), { recursive: true }); fs.writeFileSync(at('was-file/in/f'), 'f\\n');
      fs.writeFileSync(at('was-folder'), 'file\\n');
      for (const name of ['link', 'led']) fs.rmSync(at(name));
      fs.writeFileSync(at('link'), 'file\\n'); fs.mkdirSync(at('led')); fs.writeFileSync(at('led/in'), 'in\\n');
      fs.mkdirSync(at('kept')); fs.writeFileSync(at('kept/f'), 'f\\n');
      process.exit(1);`;
    assert.equal((await bed.mission('run', bed.plan('swapped', [{ script }]))).code, 3);
    bed.write('docs/out/kept/of-a-person', 'mine\n');
    const files = ['was-file', 'was-folder/deep/a', 'was-folder/b'];
    const undone = ok(await bed.mission('undo', 'swapped', 'T1', ...decision)).json as unknown as {
      left: { path: string; why: string }[];
    };
    for (const name of files) assert.equal(bed.read(`docs/out/${name}`), `${name}\n`);
    assert.deepEqual(
      undone.left.map((one) => one.path),
      ['docs/out/kept'],
    );
    assert.equal(bed.read('docs/out/kept/of-a-person'), 'mine\n');
    assert.deepEqual([readlink('docs/out/link'), readlink('docs/out/led')], ['kept', 'was-folder']);
    ok(await bed.mission('undo', 'swapped', 'T1', '--redo', ...decision));
    assert.equal(bed.read('docs/out/was-file/in/f'), 'f\n');
    assert.equal(bed.read('docs/out/was-folder'), 'file\n');
  });

  it('is taken back, byte for byte, and done again', async () => {
    await blocked('redone');
    ok(await bed.mission('undo', 'redone', 'T1', ...decision));
    ok(await bed.mission('undo', 'redone', 'T1', '--redo', ...decision));
    for (const [name, text] of Object.entries(left)) assert.equal(bed.read(name), text);
    assert.equal(existsSync(bed.at('docs/out/tool.sh')), false);
    assert.equal(readlink('docs/out/link'), 'copied.txt');
    assert.equal(statSync(bed.at('docs/out/mode.sh')).mode & 0o111, 0o111);
    const again = await bed.mission('undo', 'redone', 'T1', '--redo', ...decision);
    assert.deepEqual([again.code, again.json.code], [2, 'OUTCOME_UNAVAILABLE']);
    ok(await bed.mission('undo', 'redone', 'T1', ...decision));
    isBefore();
  });

  it('gives a private file and folder the mode back that they had', async () => {
    const script = `${start}
      fs.writeFileSync('docs/out/t', 'changed\\n'); fs.renameSync('docs/out/t', 'docs/out/secret.txt');
      fs.chmodSync('docs/out/open.txt', 0o600); fs.rmSync('docs/out/priv', { recursive: true });
      fs.mkdirSync('docs/out/made', { mode: 0o700 }); fs.writeFileSync('docs/out/made/own.txt', 'x', { mode: 0o640 });
      process.exit(1);`;
    bed.write('docs/out/secret.txt', 'secret\n');
    bed.write('docs/out/priv/key', 'key\n');
    bed.write('docs/out/open.txt', 'open\n');
    for (const [name, mode] of [
      ['secret.txt', 0o600],
      ['priv/key', 0o400],
      ['priv', 0o700],
      ['open.txt', 0o644],
    ] as const)
      chmodSync(bed.at(`docs/out/${name}`), mode);
    const modes = (...names: readonly string[]): readonly string[] =>
      names.map((name) => (statSync(bed.at(`docs/out/${name}`)).mode & 0o777).toString(8));
    const run = await bed.mission('run', bed.plan('private', [{ script }]));
    assert.equal(run.code, 3, run.stderr);
    ok(await bed.mission('undo', 'private', 'T1', ...decision));
    assert.deepEqual(modes('secret.txt', 'priv/key', 'priv', 'open.txt'), ['600', '400', '700', '644']);
    ok(await bed.mission('undo', 'private', 'T1', '--redo', ...decision));
    assert.deepEqual(modes('secret.txt', 'made', 'made/own.txt', 'open.txt'), ['644', '700', '640', '600']);
    for (const name of readdirSync(bed.scratch, { recursive: true, encoding: 'utf8' }))
      if (name.endsWith('/manifests') || /\/(?:\d{6}\.jsonl|folders\.json)$/.test(name))
        rmSync(path.join(bed.scratch, name), { recursive: true, force: true });
    rmSync(bed.at('docs/out/priv'), { recursive: true });
    const looked = ok(await bed.mission('undo', 'private', 'T1', '--dry-run')).json as unknown as {
      files: { path: string; does: string }[];
    };
    assert.equal(looked.files.find((file) => file.path.endsWith('key'))?.does, 'is put back');
    assert.match(
      looked.files.find((file) => file.path.endsWith('priv/'))?.does ?? '',
      /^is made again, .* for you alone/,
    );
    ok(await bed.mission('undo', 'private', 'T1', ...decision));
    assert.deepEqual(
      modes('secret.txt', 'priv/key', 'priv'),
      ['600', '400', '700'],
      'the record has the mode of a file',
    );
  });

  it('leaves alone and names what a person changed since, and what was not kept', async () => {
    await blocked('since');
    bed.write('docs/out/copied.txt', 'a person went on\n');
    rmSync(bed.at('docs/out/new/deep/file.txt'));
    symlinkSync('../../committed.txt', bed.at('docs/out/new/deep/file.txt'));
    for (const name of readdirSync(bed.scratch, { recursive: true, encoding: 'utf8' }))
      if (name.endsWith('/copies')) rmSync(path.join(bed.scratch, name), { recursive: true });
    const all = ok(await bed.mission('undo', 'since', 'T1', ...decision)).json as unknown as {
      paths: string[];
      left: { path: string; why: string }[];
    };
    assert.deepEqual(all.paths, ['docs/out/committed.txt', 'docs/out/link', 'docs/out/mode.sh']);
    assert.deepEqual(
      all.left.map(({ path: name, why }) => `${name} ${why.slice(0, 20)}`),
      [
        'docs/out/copied.txt has another content',
        'docs/out/new/deep/file.txt is a link now, and w',
        'docs/out/tool.sh cannot be put back, ',
      ].sort(),
    );
    assert.equal(bed.read('docs/out/copied.txt'), 'a person went on\n');
    assert.equal(bed.read('docs/out/committed.txt'), 'committed\n');
    assert.equal(lstatSync(bed.at('docs/out/new/deep/file.txt')).isSymbolicLink(), true);
  });

  it('undoes the last attempt first, then the one before it', async () => {
    const second = `${start}
      const first = !fs.existsSync('docs/out/one.txt');
      fs.writeFileSync(first ? 'docs/out/one.txt' : 'docs/out/two.txt', 'x');
      if (!first) fs.writeFileSync('docs/out/one.txt', 'y'); process.exit(1);`;
    await blocked('two', second);
    assert.equal((await bed.mission('retry', 'two', 'T1', ...decision)).code, 3);
    ok(await bed.mission('undo', 'two', 'T1', ...decision));
    assert.deepEqual([bed.read('docs/out/one.txt'), existsSync(bed.at('docs/out/two.txt'))], ['x', false]);
    ok(await bed.mission('undo', 'two', 'T1', ...decision));
    assert.equal(existsSync(bed.at('docs/out/one.txt')), false);
    const none = await bed.mission('undo', 'two', 'T1', ...decision);
    assert.deepEqual([none.code, none.json.code], [2, 'OUTCOME_UNAVAILABLE']);
    ok(await bed.mission('undo', 'two', 'T1', '--redo', ...decision));
    ok(await bed.mission('undo', 'two', 'T1', '--redo', ...decision));
    assert.deepEqual([bed.read('docs/out/one.txt'), bed.read('docs/out/two.txt')], ['y', 'x']);
  });

  it('is refused after a cancel, and says that the mission has ended', async () => {
    await blocked('over');
    ok(await bed.mission('cancel', 'over', ...decision));
    const undone = await bed.mission('undo', 'over', 'T1', '--dry-run');
    assert.deepEqual([undone.code, undone.json.code], [2, 'MISSION_CLOSED'], undone.stdout);
    assert.match(undone.json.reason, /^The mission has ended/);
  });
});
