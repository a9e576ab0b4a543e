import assert from 'node:assert/strict';
import { AgentBed } from './agentBed';
import { decision, isAlive, type Ended } from './cliBed';

const work = `fs.mkdirSync('docs/out', { recursive: true }); fs.writeFileSync('docs/out/a', 'x');`;
/** It says which process it is, then what it did, and stays. */
const staying = `${work} fs.writeFileSync('docs/out/pid', String(process.pid)); end('done', 'docs/out/a', 'docs/out/pid');
  setInterval(() => {}, 1000);`;

/** Real processes, and the real grace. */
describe('an agent that finished and stays', () => {
  let bed: AgentBed;
  beforeEach(() => (bed = new AgentBed([])));
  afterEach(() => bed.dispose());

  const ran = async (body: string, max_runtime_seconds = 120): Promise<Ended> => {
    bed.speaks(body);
    const plan = bed.plan('STAYS', [{ worker: 'claude', prompt: 'x', max_runtime_seconds }], {
      confinement: 'off',
      delegation: { claude_code: true, constraints: [] },
    });
    return bed.withClaude('run', plan, '--by', 'Ada');
  };
  const evidence = (): string => bed.read('docs/ops/executions/STAYS/TASK_T1.json');

  it('and does not exit is ended, and its result is judged', async () => {
    const { code, stdout } = await ran(staying);
    assert.equal(code, 0, stdout);
    assert.equal(isAlive(Number(bed.read('docs/out/pid'))), false);
    assert.match(evidence(), /did not exit by itself/);
    assert.match(bed.read('docs/ops/executions/STAYS/EXECUTION_SUMMARY.md'), /did not exit by itself/);
    const { stdout: status } = await bed.mission('status', 'STAYS');
    assert.match(status, /did not exit by itself/);
  });

  it('and exits, but leaves a process that holds its output, is judged as ever', async () => {
    const { code, stdout } = await ran(
      `${work} const child = require('node:child_process').spawn('setsid', ['sleep', '3600'], { stdio: 'inherit' });
       fs.writeFileSync('docs/out/pid', String(child.pid));
       end('done', 'docs/out/a', 'docs/out/pid'); process.exit(0);`,
    );
    assert.equal(code, 0, stdout);
    assert.equal(isAlive(Number(bed.read('docs/out/pid'))), false);
  });

  it('is ended by the next owner, where the first one died after it had recorded that', async () => {
    bed.speaks(staying);
    const plan = bed.agentPlan('STAYS');
    const { signal } = await bed.killedAt('sqlite.run(INSERT WorkerLingered)#1:after', 'run', plan, '--by', 'Ada');
    assert.equal(signal, 'SIGKILL');
    const pid = Number(bed.read('docs/out/pid'));
    assert.ok(isAlive(pid));
    const { code, stdout } = await bed.withClaude('resume', 'STAYS', ...decision);
    assert.equal(code, 0, stdout);
    assert.equal(isAlive(pid), false);
    const events = await bed.events('STAYS');
    assert.equal(events.filter(({ type }) => type === 'WorkerLingered').length, 1);
    assert.equal(events.filter(({ type }) => type === 'AttemptStarted').length, 1);
  });

  it('or never began, because a hook of the person holds it: the packet names that hook alone', async () => {
    const hook = (subtype: string, hook_id: string, hook_name: string): string =>
      `say(${JSON.stringify({ type: 'system', subtype, hook_id, hook_name, hook_event: 'SessionStart' })});`;
    const { code, stdout } = await ran(
      `${hook('hook_started', '1', 'SessionStart:holds')}${hook('hook_started', '2', 'SessionStart:ended')}
       ${hook('hook_response', '2', 'SessionStart:ended')} setInterval(() => {}, 1000);`,
      8,
    );
    assert.equal(code, 3, stdout);
    const [listed] = (await bed.mission('packet', 'list', 'STAYS')).json.packets;
    const packet = bed.read(listed?.path ?? '');
    assert.match(packet, /the hook SessionStart:holds of your own settings of its CLI began and did not end/);
    assert.doesNotMatch(packet, /SessionStart:ended/);
  });

  it('and goes on talking until its deadline: its result is in the packet and can be validated', async () => {
    const { code, stdout } = await ran(
      `${work}
       say({ type: 'assistant', message: { content: [{ type: 'tool_use', id: 'c', name: 'Bash', input: { command: 'npm test' } }] } });
       end('done', 'docs/out/a');
       setInterval(() => say({ type: 'assistant', message: { content: [{ type: 'text', text: 'and another thing' }] } }), 1000);`,
      8,
    );
    assert.equal(code, 3, stdout);
    const [listed] = (await bed.mission('packet', 'list', 'STAYS')).json.packets;
    const packet = bed.read(listed?.path ?? '');
    assert.match(packet, /its result was there before the deadline, and claims done with 1 change/);
    assert.match(packet, /its last tool call: Bash npm test/);
    const again = await bed.withClaude('rerun-validation', 'STAYS', 'T1', ...decision);
    assert.equal(again.code, 0, again.stdout);
  });
});
