import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { skipWithReason } from '../support/skip';
import { terminalPicture, type TerminalRun } from '../support/terminalPicture';
import { cliFile, start, until } from './cliBed';
import { OrchestratorBed } from './orchestratorBed';
import { serve } from './servedBed';

const folder = '.artifacts/terminal';
/** A README that is read over a slow line shows them, too. */
const mostBytes = 60_000;

/**
 * Pictures of terminals for README and guide, drawn from what `mission` printed; `scripts/readme-pictures.mjs` copies
 * them. The folder of the test is shown as `~/orders`; a picture that ends early says so by `…`.
 */
describe('pictures of terminals', function () {
  this.timeout(180_000);
  let bed: OrchestratorBed;
  beforeEach(() => (bed = new OrchestratorBed()));
  afterEach(() => bed.dispose());

  const typed = async (command: string, code = 0): Promise<TerminalRun> => {
    const [, ...args] = [...command.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, word]) => quoted ?? word ?? '');
    const agent = /^mission (?:run|retry|memory confirm)\b/.test(command) ? bed.claudeOptions : [];
    const yes = args.includes('approve') ? ['--yes'] : [];
    const ended = await bed.spawn(process.execPath, [cliFile, ...args, ...yes, ...agent]).ended;
    assert.equal(ended.code, code, `${command}\n${ended.stdout}${ended.stderr}`);
    return { command, output: shown(ended.stdout) };
  };
  const shown = (printed: string): string =>
    printed.replaceAll(bed.root, '~/orders').replaceAll(path.basename(bed.root), 'orders').replaceAll(bed.scratch, '~');
  /** Leaves out what comes after the first line of `last`. */
  const upTo = ({ command, output }: TerminalRun, last: RegExp): TerminalRun => {
    const lines = output.split('\n');
    const end = lines.findIndex((line) => last.test(line));
    assert.ok(end !== -1, output);
    return { command, output: [...lines.slice(0, end + 1), '…'].join('\n') };
  };
  const draw = (name: string, runs: readonly TerminalRun[], ...shown: readonly RegExp[]): void => {
    const svg = terminalPicture(runs);
    const printed = runs.map(({ output }) => output).join('\n');
    for (const pattern of shown) assert.match(printed, pattern);
    assert.ok(svg.length <= mostBytes, `${name} has ${svg.length} bytes`);
    assert.ok(!svg.includes(bed.scratch), name);
    mkdirSync(folder, { recursive: true });
    writeFileSync(`${folder}/${name}.svg`, svg);
  };
  const writes = (name: string): string => `${start}fs.writeFileSync('docs/out/${name}.md', '${name}');`;

  it('evidence: it holds; with one character changed it does not', async () => {
    bed.plan('orders', [{ script: writes('orders') }]);
    await typed('mission run docs/plans/PLAN_orders.json');
    const holds = await typed('mission evidence verify orders');
    const summary = 'docs/ops/executions/orders/EXECUTION_SUMMARY.md';
    bed.write(summary, readFileSync(bed.at(summary), 'utf8').replace('orders', 'order5'));
    const broken = await typed('mission evidence verify orders', 1);
    draw('evidence', [holds, broken], /holds/, /EXECUTION_SUMMARY\.md/);
  });

  it('revision: what it ends, what is carried over, what changed', async function () {
    bed.findBubblewrap(this);
    const fails = `${start}process.exit(1);`;
    bed.plan('orders', [
      { task_id: 'schema', script: writes('schema'), paths: ['docs/out/schema.md'] },
      { task_id: 'api', script: fails, paths: ['docs/out/api.md'], depends_on: ['schema'] },
    ]);
    await typed('mission run docs/plans/PLAN_orders.json', 3);
    const revised = await typed('mission plan revise orders');
    const file = 'docs/plans/PLAN_orders-r2.json';
    bed.write('tools/orders-api.mjs', writes('api'));
    bed.write(file, bed.read(file).replace('"Task api"', '"Task api, without the old store"'));
    const approved = await typed(`mission plan approve ${file} --by Ada`);
    draw('revision', [revised, upTo(approved, /^ *- Carried over: /)], /Carried over: schema/, /Ends: mission/);
  });

  it('orchestrator: an agent has a blocked task tried again', async () => {
    bed.plays(
      `if (attempt === 1) process.exit(1);
       fs.mkdirSync('docs/out', { recursive: true });
       fs.writeFileSync('docs/out/a.md', 'a');
       end('done', 'docs/out/a.md');`,
      `await choose('retry-repair', 'The worker crashed before it wrote anything.');`,
    );
    const run = await typed(`mission run ${bed.agentPlan('orders')} --orchestrator claude`);
    draw('orchestrator', [run], /completed/, /The orchestrator decided: retry-repair/);
  });

  it('memory: a proposed decision, which a person keeps', async () => {
    bed.write('ai.project.json', readFileSync('test/fixtures/ai-project/sound.json', 'utf8'));
    bed.git('add', '.');
    bed.git('commit', '-qm', 'a project');
    const entry = {
      domain: 'architecture',
      key: 'order-store',
      decision: 'Orders are stored in SQLite, in one file for each shop.',
      rationale: 'There is no server to run. PostgreSQL was rejected, because a shop has one writer.',
    };
    bed.speaks(`
      fs.mkdirSync('docs/out', { recursive: true });
      fs.writeFileSync('docs/out/store.md', 'SQLite');
      x_memory = [${JSON.stringify(entry)}];
      end('done', 'docs/out/store.md');`);
    bed.plan('orders', [{ worker: 'claude', prompt: 'Choose a store.', intent: 'architecture', type: 'work' }], {
      confinement: 'off',
      delegation: { claude_code: true, constraints: [] },
    });
    await typed('mission run docs/plans/PLAN_orders.json', 3);
    const proposed = await typed("mission memory confirm orders --by Ada --reason 'we agreed on it'", 2);
    const kept = await typed("mission memory confirm orders --task T1 --keep-all --by Ada --reason 'we agreed on it'");
    const listed = await typed('mission memory list');
    draw('memory', [proposed, kept, listed], /order-store/);
  });

  it('sandbox: a write outside the paths is named, and not kept', async function () {
    bed.findBubblewrap(this);
    bed.plan('orders', [{ script: `${start}fs.writeFileSync('src/api.ts', 'export {};');` }]);
    bed.write('src/app.ts', '');
    const run = await typed('mission run docs/plans/PLAN_orders.json --confinement required', 3);
    draw(
      'sandbox',
      [upTo(run, /^ *- not kept/)],
      /T1 wrote src\/api\.ts \(1 line\), outside its approved paths; not kept/,
    );
  });

  it('events: a program reads them', async function () {
    if ((await bed.spawn('sh', ['-c', 'command -v curl']).ended).code !== 0)
      skipWithReason(this, 'no toolchain here: curl');
    bed.plan('orders', [{ script: writes('orders') }]);
    const run = await typed('mission run docs/plans/PLAN_orders.json --by Ada');
    const served = await serve(bed);
    const command = 'curl -N -H "Authorization: Bearer TOKEN" URL/events?from=start';
    const called = command.replace('TOKEN', served.token).replace(/URL(\S+)/, `'${served.url}$1'`);
    const { child } = bed.spawn('sh', ['-c', `exec ${called}`]);
    let printed = '';
    child.stdout?.on('data', (data: Buffer) => (printed += data.toString()));
    await until(() => printed.includes('"MissionReported"'));
    child.kill('SIGTERM');
    served.kill('SIGTERM');
    const events = shown(printed)
      .split('\n\n')
      .filter((event) => /^event: ?task/m.test(event));
    draw(
      'events',
      [run, { command, output: [...events.slice(0, 3), '…'].join('\n\n') }],
      /completed/,
      /^event: ?task/m,
    );
  });
});
