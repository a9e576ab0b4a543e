import assert from 'node:assert/strict';
import process from 'node:process';
import { AgentBed } from './agentBed';
import { cliFile, decision, type Ended } from './cliBed';

/** Signs in by a variable of another provider, as Claude Code does on Bedrock. */
const signsIn = `
  if (process.env.AWS_PROFILE === undefined) {
    say({ type: 'result', subtype: 'success', is_error: true, result: 'Not logged in · Please run /login' });
    process.exitCode = 1;
    return;
  }
  fs.mkdirSync('docs/out', { recursive: true });
  fs.writeFileSync('docs/out/by.txt', process.env.AWS_PROFILE);
  end('done', 'docs/out/by.txt');`;

/** Variables of a provider that the person has set and no option passes, through whole missions of `dist/cli.js`. */
describe('an agent whose provider needs variables that are not passed', function () {
  this.timeout(120_000);
  let bed: AgentBed;
  beforeEach(() => {
    bed = new AgentBed([]);
    bed.speaks(signsIn);
  });
  afterEach(() => bed.dispose());

  const withVariables = (variables: Readonly<Record<string, string>>, ...args: readonly string[]): Promise<Ended> =>
    bed.spawn(process.execPath, [cliFile, ...args, '--json', ...bed.claudeOptions], {
      env: { ...bed.env, ...variables },
    }).ended;
  /** The options of the command line that a sentence names. */
  const optionsIn = (text: string): readonly string[] =>
    [...text.matchAll(/--cli-env \w+=\w+/g)].flatMap(([option]) => option.split(' '));

  it('blocks on the sign-in; the packet names the variables, and the options that it names sign in', async () => {
    const here = { AWS_PROFILE: 'of-the-house', AWS_REGION: 'eu-west-1' };
    const run = await withVariables(here, 'run', bed.agentPlan('signs'));
    assert.equal(run.code, 3, run.stdout + run.stderr);
    const { json: packet } = await bed.mission('packet', 'show', run.json.packets[0]!.packet_id);
    const text = bed.read((packet as unknown as { readonly path: string }).path);
    assert.match(text, /Set here and not passed to it: AWS_REGION, AWS_PROFILE\./);
    const options = optionsIn(text);
    assert.deepEqual(options, ['--cli-env', 'claude=AWS_REGION', '--cli-env', 'claude=AWS_PROFILE']);
    const again = await withVariables(here, 'retry', 'signs', 'T1', ...decision, ...options);
    assert.equal(again.code, 0, again.stdout + again.stderr);
    assert.equal(bed.read('docs/out/by.txt'), 'of-the-house');
    assert.equal((await bed.mission('evidence', 'verify', 'signs')).code, 0);
  });

  it('is not started without the switch to its provider; the options that the refusal names start it', async () => {
    const here = { CLAUDE_CODE_USE_BEDROCK: '1', AWS_PROFILE: 'of-the-house', AWS_REGION: 'eu-west-1' };
    const plan = bed.agentPlan('bedrock');
    const run = await withVariables(here, 'run', plan);
    assert.notEqual(run.code, 0);
    assert.deepEqual(bed.launches(), []);
    const options = optionsIn(run.stdout);
    assert.equal(options.length, 6, run.stdout);
    const again = await withVariables(here, 'run', plan, ...options);
    assert.equal(again.code, 0, again.stdout + again.stderr);
    assert.match(
      bed.read('docs/ops/executions/bedrock/TASK_T1.json'),
      /"bedrock-runtime\.eu-west-1\.amazonaws\.com:443"/,
    );
  });

  it('is said by the doctor, with the option and the setting', async () => {
    const { stdout } = await withVariables({ AWS_PROFILE: 'p', AWS_SESSION_TOKEN: 't' }, 'doctor');
    assert.match(
      stdout,
      /set here and not passed: AWS_PROFILE, AWS_SESSION_TOKEN; what it needs is passed with --cli-env claude=VARIABLE \(in VS Code: the setting missionControl\.env\.claude\)/,
    );
  });
});
