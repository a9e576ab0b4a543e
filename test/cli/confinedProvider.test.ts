import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import process from 'node:process';
import type { TaskEvidence } from '../../src/contracts/taskEvidence';
import { AgentBed } from './agentBed';
import { cliFile } from './cliBed';

/** Asks the provider and another host, as clients do that know of proxies, and writes down what came of it. */
const asking = (...ports: readonly number[]): string => `
  const http = require('node:http');
  const agent = new http.Agent({ proxyEnv: process.env });
  const ask = (port) => new Promise((told) => http.get('http://127.0.0.1:' + port + '/v1', { agent }, (answer) => {
    let text = '';
    answer.on('data', (chunk) => (text += chunk)).on('end', () => told(answer.statusCode + ' ' + text.split(':')[0]));
  }).on('error', (error) => told(error.code)));
  const told = [];
  for (const port of ${JSON.stringify(ports)}) told.push(await ask(port));
  fs.mkdirSync('docs/out', { recursive: true });
  fs.writeFileSync('docs/out/told.txt', told.join('\\n'));
  end('done', 'docs/out/told.txt');`;

/** The network of an agent that is held to hosts of its provider, through whole missions of `dist/cli.js`. */
describe('mission run with agents that reach only hosts of their provider', function () {
  this.timeout(180_000);
  const [provider, another] = ['the model', 'somebody else'].map((name) =>
    createServer((_, answer) => answer.end(name)),
  );
  const ports = { provider: 0, another: 0 };
  let bed: AgentBed;
  before(async () => {
    for (const [name, server] of [
      ['provider', provider],
      ['another', another],
    ] as const) {
      await new Promise<void>((resolve) => server?.listen(0, '127.0.0.1', resolve));
      ports[name] = ((server?.address() ?? { port: 0 }) as AddressInfo).port;
    }
  });
  after(() => {
    provider?.close();
    another?.close();
  });
  beforeEach(function () {
    bed = new AgentBed([]);
    bed.findBubblewrap(this);
  });
  afterEach(() => bed.dispose());

  const hostOption = (): readonly string[] => ['--cli-host', `claude=127.0.0.1:${ports.provider}`];
  const evidence = (name: string): TaskEvidence => bed.json(`docs/ops/executions/${name}/TASK_T1.json`) as never;
  const launch = (name: string) => evidence(name).attempts?.[0]?.launches[0];

  it('reaches its provider, is held back from others, and all of it is recorded', async () => {
    bed.speaks(asking(ports.provider, ports.another));
    const plan = bed.agentPlan('held', { confinement: 'required' });
    const run = await bed.withClaude('run', plan, '--agent-network', 'provider', ...hostOption());
    assert.equal(run.code, 0, run.stdout + run.stderr);
    assert.equal(bed.read('docs/out/told.txt'), `200 the model\n403 This host was held back`);
    const hosts = ['api.anthropic.com:443', 'platform.claude.com:443', `127.0.0.1:${ports.provider}`];
    assert.deepEqual([launch('held')?.sandbox?.network, launch('held')?.sandbox?.hosts], [false, hosts]);
    assert.match(
      launch('held')?.confinement_detail ?? '',
      / Its network: only hosts of its provider \(api\.anthropic\.com, platform\.claude\.com, 127\.0\.0\.1:\d+\)\.$/,
    );
    const reason = `127.0.0.1:${ports.another} was held back: only the hosts of its provider can be reached.`;
    assert.deepEqual(
      evidence('held').attempts?.[0]?.denials.map((denial) => [denial.tool, denial.path, denial.reason]),
      [['network', null, reason]],
    );
    assert.match(bed.read('docs/ops/executions/held/EXECUTION_SUMMARY.md'), /was denied network: 127.*was held back/);
    const status = await bed.spawn(process.execPath, [cliFile, 'status', run.json.mission_id]).ended;
    assert.match(status.stdout, /T1 was denied network: 127\.0\.0\.1:\d+ was held back/);
    assert.equal((await bed.mission('evidence', 'verify', 'held')).code, 0);
  });

  it('is asked for by the plan too, whatever the command line says; a base URL names a provider host', async () => {
    bed.speaks(asking(ports.provider, ports.another));
    const plan = bed.agentPlan('planned', { confinement: 'required', agent_network: 'provider' });
    const line = [process.execPath, cliFile, 'run', plan, '--agent-network', 'open', '--json', ...bed.claudeOptions];
    const [program = '', ...args] = line;
    const env = { ...bed.env, ANTHROPIC_BASE_URL: `http://127.0.0.1:${ports.provider}` };
    const run = await bed.spawn(program, args, { env }).ended;
    assert.equal(run.code, 0, run.stdout + run.stderr);
    assert.equal(bed.read('docs/out/told.txt'), `200 the model\n403 This host was held back`);
  });

  it('is open by default, and the launch is as it was', async () => {
    bed.speaks(asking(ports.provider, ports.another));
    const run = await bed.withClaude('run', bed.agentPlan('open', { confinement: 'required' }), ...hostOption());
    assert.equal(run.code, 0, run.stdout + run.stderr);
    assert.equal(bed.read('docs/out/told.txt'), '200 the model\n200 somebody else');
    assert.deepEqual([launch('open')?.sandbox?.network, launch('open')?.sandbox?.hosts], [true, undefined]);
    assert.doesNotMatch(launch('open')?.confinement_detail ?? '', /network:/);
  });

  it('cannot be held without a sandbox, which approval and evidence say', async () => {
    bed.speaks(asking(ports.another));
    const plan = bed.agentPlan('bare', { confinement: 'off', agent_network: 'provider' });
    const open = 'Its network is open: nothing here holds it to the hosts of its provider.';
    const approved = await bed.spawn(process.execPath, [cliFile, 'plan', 'approve', plan, '--by', 'Ada', '--yes'])
      .ended;
    assert.ok(approved.stdout.replaceAll(/\s+/g, ' ').includes(open), approved.stdout);
    const run = await bed.withClaude('run', plan);
    assert.equal(run.code, 0, run.stdout + run.stderr);
    assert.equal(bed.read('docs/out/told.txt'), '200 somebody else');
    assert.ok(launch('bare')?.confinement_detail.endsWith(open));
  });

  it('is shown before it is approved, with the names of the hosts', async () => {
    const plan = bed.agentPlan('shown', { confinement: 'required' });
    const asked = ['--agent-network', 'provider', '--cli-host', 'claude=Gateway.Example.com'];
    const args = [cliFile, 'plan', 'approve', plan, '--by', 'Ada', '--yes', ...asked];
    const { stdout, code, stderr } = await bed.spawn(process.execPath, args).ended;
    assert.equal(code, 0, stderr);
    const shown =
      'Its network: only hosts of its provider (api.anthropic.com, platform.claude.com, gateway.example.com).';
    assert.ok(stdout.replaceAll(/\s+/g, ' ').includes(shown), stdout);
  });

  it('is no word of its own: what is neither network nor host is refused', async () => {
    const plan = bed.agentPlan('wrong');
    for (const wrong of [
      ['--agent-network', 'internet'],
      ['--cli-host', 'claude=a/b'],
      ['--cli-host', 'nobody=a.example'],
    ]) {
      const { code, json } = await bed.mission('run', plan, ...wrong);
      assert.deepEqual([code, json.code], [2, 'USAGE'], wrong.join(' '));
    }
  });
});
