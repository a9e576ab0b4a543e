import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { agentNames } from '../../src/contracts/vocabulary/workers';
import type { AgentName } from '../../src/contracts/vocabulary/workers';
import { needsBubblewrap } from '../support/bubblewrap';
import { makePlace, searchPath } from './homes';
import type { AgentPlace } from './homes';
import { makeMission } from './missionRun';
import type { MissionBed } from './missionRun';
import { requireMission } from './missionSuite';
import { startMockModel } from './mockModel';
import type { MockModel } from './mockModel';
import { finishTurn, packetFor, writeFileTurn } from './turns';

/** The real CLIs in a sandbox whose network has only the hosts of their provider, through whole missions. */
for (const agent of agentNames) {
  describe(`the real ${agent} whose network has only the hosts of its provider`, function () {
    this.timeout(240_000);
    let bwrap = '';
    const ends: (() => Promise<void>)[] = [];
    before(function () {
      requireMission(this, agent);
      bwrap = needsBubblewrap(this);
    });
    afterEach(async () => {
      for (const end of ends.splice(0).reverse()) await end();
    });

    const stage = async (
      name: string,
      environment: Readonly<Record<string, string>> = {},
      limits: object = {},
    ): Promise<{ readonly place: AgentPlace; readonly bed: MissionBed; readonly model: MockModel }> => {
      const place = await makePlace(`${agent}-provider-${name}`);
      const file = path.join(place.workspace, 'src', 'hello.txt');
      const model = await startMockModel({
        '': (request, index) =>
          index === 0
            ? writeFileTurn(agent, file, 'through the relay\n')
            : finishTurn(agent, packetFor(request, [{ resource: 'src/hello.txt', action: 'created' }])),
      });
      ends.push(() => model.stop());
      const PATH = [path.join(place.root, 'bin'), bwrap, searchPath()].join(path.delimiter);
      const bed = await makeMission(agent, place, model.url, { environment: { PATH, ...environment }, ...limits });
      ends.push(() => bed.endLeftovers());
      return { place, bed, model };
    };

    it('completes its task through the relay', async () => {
      const { place, bed, model } = await stage('task');
      const host = new URL(model.url).host;
      const held = ['--confinement', 'required', '--agent-network', 'provider', '--cli-host', `${agent}=${host}`];
      const end = await bed.run(...held);
      assert.equal(end.exitCode, 0, end.stdout + end.stderr);
      assert.equal(readFileSync(path.join(place.workspace, 'src', 'hello.txt'), 'utf8'), 'through the relay\n');
      const attempt = (await bed.task())?.attempts?.[0];
      const launch = attempt?.launches.at(-1);
      assert.deepEqual([launch?.confinement, launch?.sandbox?.network], ['task_sandbox', false]);
      assert.ok(launch?.sandbox?.hosts?.includes(host), JSON.stringify(launch?.sandbox?.hosts));
      assert.equal((await bed.verify()).exitCode, 0);
    });

    it('is held back from any other host, which the block explains', async () => {
      const place = await makePlace(`${agent}-provider-other`);
      const model = await startMockModel({ '': (request) => finishTurn(agent, packetFor(request, [])) });
      ends.push(() => model.stop());
      const PATH = [path.join(place.root, 'bin'), bwrap, searchPath()].join(path.delimiter);
      const { url, wrapper } = elsewhere[agent];
      const bed = await makeMission(agent, place, url ?? model.url, { environment: { PATH }, wrapper });
      ends.push(() => bed.endLeftovers());
      const end = await bed.run('--confinement', 'required', '--agent-network', 'provider');
      assert.equal(end.exitCode, 3, end.stdout + end.stderr);
      const told = 'elsewhere.invalid:443 was held back: only the hosts of its provider can be reached.';
      const failures = (await bed.events()).flatMap((event) =>
        event.type === 'AttemptEnded' ? (event.failure ?? []) : [],
      );
      assert.ok(JSON.stringify(failures).includes(told), JSON.stringify(failures));
      assert.equal(model.requests.length, 0);
    });
  });
}

/** How each CLI is led to another place than its provider's: by what the owner of the launch does not see. */
const elsewhere: Readonly<Record<AgentName, { readonly url?: string; readonly wrapper: string }>> = {
  claude: { wrapper: 'ANTHROPIC_BASE_URL=https://elsewhere.invalid exec $CLI "$@"' },
  gemini: { wrapper: 'GOOGLE_GEMINI_BASE_URL=https://elsewhere.invalid exec $CLI "$@"' },
  codex: {
    url: 'https://elsewhere.invalid',
    // By itself it never gives up where nothing answers.
    wrapper:
      'shift; exec $CLI exec --disable unbounded_connection_retries -c model_providers.mock.request_max_retries=1 -c model_providers.mock.stream_max_retries=1 "$@"',
  },
  opencode: { url: 'https://elsewhere.invalid', wrapper: 'exec $CLI "$@"' },
};
