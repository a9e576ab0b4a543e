import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { makePlace, searchPath } from './homes';
import { makeMission } from './missionRun';
import type { MissionBed, MissionOptions } from './missionRun';
import { requireMission } from './missionSuite';
import { startMockModel } from './mockModel';
import type { MockModel } from './mockModel';
import { finishTurn, packetFor, writeFileTurn } from './turns';

/** The real Codex, whose person wrote into config.toml where its model is. */
describe('the real codex with a provider of its own in config.toml', function () {
  this.timeout(240_000);
  const ends: (() => Promise<void>)[] = [];
  before(function () {
    requireMission(this, 'codex');
  });
  afterEach(async () => {
    for (const end of ends.splice(0).reverse()) await end();
  });

  /** @param lines config.toml of the home, from where the house answers */
  const stage = async (
    name: string,
    lines: (house: string) => readonly string[],
    changes: MissionOptions = {},
  ): Promise<{ readonly bed: MissionBed; readonly house: MockModel; readonly elsewhere: readonly string[] }> => {
    const place = await makePlace(`codex-house-${name}`);
    const file = path.join(place.workspace, 'src', 'hello.txt');
    const house = await startMockModel({
      '': (request, index) =>
        index === 0
          ? writeFileTurn('codex', file, 'from the house\n')
          : finishTurn('codex', packetFor(request, [{ resource: 'src/hello.txt', action: 'created' }])),
    });
    ends.push(() => house.stop());
    const proxy = await startProxy();
    ends.push(proxy.stop);
    writeFileSync(path.join(place.home, '.codex', 'config.toml'), `${lines(house.url).join('\n')}\n`);
    const bed = await makeMission('codex', place, house.url, {
      ...changes,
      environment: {
        PATH: searchPath(), // the CLI itself, without arguments that lead it to the model
        HOUSE_KEY: 'test-key',
        HTTPS_PROXY: proxy.url,
        HTTP_PROXY: proxy.url,
        NO_PROXY: '127.0.0.1',
        ...changes.environment,
      },
    });
    ends.push(() => bed.endLeftovers());
    return { bed, house, elsewhere: proxy.asked };
  };

  const houseLines = (url: string): readonly string[] => [
    'model_provider = "house"',
    '[model_providers.house]',
    'name = "The house"',
    `base_url = "${url}/v1"`,
    'env_key = "HOUSE_KEY"',
    'wire_api = "responses"',
  ];

  it('speaks to that provider and to nothing else, and the evidence names its host', async () => {
    const { bed, house, elsewhere } = await stage('task', houseLines);
    const end = await bed.run();
    assert.equal(end.exitCode, 0, end.stdout + end.stderr);
    assert.ok(house.requests.length > 0);
    assert.deepEqual(elsewhere, []);
    const launch = (await bed.task())?.attempts?.[0]?.launches.at(-1);
    assert.deepEqual(launch?.['speaks_to'], { hosts: [new URL(house.url).host], from: launchedFrom(launch) });
    assert.ok(!JSON.stringify(launch).includes('test-key'));
    assert.equal((await bed.verify()).exitCode, 0);
  });

  it('is not started with a secret in config.toml, which the refusal names without it', async () => {
    const { bed, house, elsewhere } = await stage('secret', (url) => [
      ...houseLines(url).filter((line) => !line.startsWith('env_key')),
      'experimental_bearer_token = "tok-1234567890abcdef"',
    ]);
    const end = await bed.run();
    assert.notEqual(end.exitCode, 0);
    assert.equal(end.answer?.['code'], 'PROVIDER_UNUSABLE', end.stdout + end.stderr);
    assert.match(end.stdout, /config\.toml/);
    assert.match(end.stdout, /model_providers\.house\.experimental_bearer_token/);
    assert.doesNotMatch(end.stdout + end.stderr, /tok-1234567890abcdef/);
    assert.deepEqual([house.requests.length, elsewhere], [0, []]);
  });

  it('stops where the host is no longer the one that was approved', async () => {
    const { bed, house, elsewhere } = await stage('changed', houseLines);
    const approved = await bed.mission('plan', 'approve', bed.planFile, '--by', 'Tester', '--yes');
    assert.equal(approved.exitCode, 0, approved.stdout + approved.stderr);
    const other = await startMockModel({ '': (request) => finishTurn('codex', packetFor(request, [])) });
    ends.push(() => other.stop());
    const config = path.join(bed.planFile, '../../../../home/.codex/config.toml');
    writeFileSync(config, readFileSync(config, 'utf8').replace(house.url, other.url));
    const end = await bed.run();
    assert.equal(end.answer?.['code'], 'PROVIDER_CHANGED', end.stdout + end.stderr);
    assert.ok(end.stdout.includes(new URL(other.url).host) && end.stdout.includes(new URL(house.url).host), end.stdout);
    assert.deepEqual([house.requests.length, other.requests.length, elsewhere], [0, 0, []]);
    const again = await bed.mission('plan', 'approve', bed.planFile, '--by', 'Tester', '--yes');
    assert.equal(again.exitCode, 0, again.stdout + again.stderr);
    await bed.run();
    assert.ok(other.requests.length > 0);
  });
});

/** The sentence names the file of the home, whose place each run makes anew. */
function launchedFrom(launch: unknown): string {
  const { from } = (launch as { speaks_to: { from: string } }).speaks_to;
  assert.match(from, /^model_provider in .*config\.toml$/);
  return from;
}

/** Answers nothing, and keeps who is asked for. */
async function startProxy(): Promise<{ url: string; asked: readonly string[]; stop: () => Promise<void> }> {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(request.url ?? '');
    response.writeHead(403).end();
  });
  server.on('connect', (request, socket) => {
    asked.push(request.url ?? '');
    socket.end('HTTP/1.1 403 Forbidden\r\n\r\n');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    stop: () => new Promise((resolve) => server.close(() => resolve())),
  };
}
