import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync, readlinkSync, writeFileSync } from 'node:fs';
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
import type { MockModel, ModelScript } from './mockModel';
import { runAgent } from './runAgent';
import { finishTurn, packetFor, shellTurn, writeFileTurn } from './turns';

/** The real CLIs in the sandbox around the paths of their task, through whole missions. */
for (const agent of agentNames) {
  describe(`the real ${agent} in a sandbox`, function () {
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
      script: (place: AgentPlace) => ModelScript,
      wrapper?: string,
    ): Promise<{ readonly place: AgentPlace; readonly bed: MissionBed; readonly modelUrl: string }> => {
      const place = await makePlace(`${agent}-confined-${name}`);
      const model = await startMockModel({ '': script(place) });
      ends.push(() => model.stop());
      const PATH = [path.join(place.root, 'bin'), bwrap, searchPath()].join(path.delimiter);
      const bed = await makeMission(agent, place, model.url, {
        environment: { PATH },
        ...(wrapper === undefined ? {} : { wrapper: wrapper.replaceAll('$OUTSIDE', place.outside) }),
      });
      ends.push(() => bed.endLeftovers());
      return { place, bed, modelUrl: model.url };
    };
    const hello = [{ resource: 'src/hello.txt', action: 'created' }];

    it('completes its task', async () => {
      const { place, bed } = await stage(
        'task',
        (there) => (request, index) =>
          index === 0
            ? writeFileTurn(agent, path.join(there.workspace, 'src', 'hello.txt'), 'confined\n')
            : finishTurn(agent, packetFor(request, hello)),
      );
      const end = await bed.run('--confinement', 'required');
      assert.equal(end.exitCode, 0, end.stdout + end.stderr);
      assert.equal(readFileSync(path.join(place.workspace, 'src', 'hello.txt'), 'utf8'), 'confined\n');
      const launch = (await bed.task())?.attempts?.[0]?.launches.at(-1);
      assert.equal(launch?.confinement, 'task_sandbox');
    });

    it('is held back from what is outside its paths, and the mission reports it', async () => {
      const file = (place: AgentPlace): string => path.join(place.workspace, 'no.txt');
      const { place, bed } = await stage(
        'outside',
        (there) => (request, index) =>
          index === 0 ? writeFileTurn(agent, file(there), 'x') : finishTurn(agent, packetFor(request, [], 'blocked')),
      );
      const end = await bed.run('--confinement', 'required');
      assert.equal(end.exitCode, 3, end.stdout + end.stderr);
      assert.equal(existsSync(file(place)), false);
      const events = await bed.events();
      const escalated = events.flatMap((event) =>
        event.type === 'RecoveryEscalated' ? [[event.issue, event.path]] : [],
      );
      // Codex denies it itself; what the others wrote went into a layer, which is gone.
      if (agent === 'codex') assert.deepEqual(escalated, [['SANDBOX_ERROR', file(place)]]);
      else assert.match(JSON.stringify(events), /no\.txt(?: \(1 line\))?, outside its approved paths/);
    });

    it('can leave nothing in the home that a later launch runs', async () => {
      const { place, bed, modelUrl } = await stage(
        'planted',
        (there) => (request, index) =>
          index === 0
            ? writeFileTurn(agent, path.join(there.workspace, 'src', 'hello.txt'), 'x')
            : finishTurn(agent, packetFor(request, hello)),
        planting(agent),
      );
      const { file } = planted[agent];
      const inHome = path.join(place.home, file);
      const before = existsSync(inHome) ? readFileSync(inHome, 'utf8') : null;
      const end = await bed.run('--confinement', 'required');
      assert.ok(existsSync(path.join(place.workspace, 'src', 'tried')), end.stdout + end.stderr);
      assert.equal(existsSync(inHome) ? readFileSync(inHome, 'utf8') : null, before);
      await runAgent(agent, place, { prompt: 'Do the task.', modelUrl });
      assert.equal(existsSync(path.join(place.outside, 'trap')), false);
    });

    it('would leave it there without the sandbox', async () => {
      const { place, bed, modelUrl } = await stage(
        'control',
        () => (request) => finishTurn(agent, packetFor(request, [])),
        planting(agent),
      );
      await bed.run('--confinement', 'off');
      assert.match(readFileSync(path.join(place.home, planted[agent].file), 'utf8'), /trap/);
      await runAgent(agent, place, { prompt: 'Do the task.', modelUrl });
      // The launch lines of the others leave out what a person's settings bring.
      if (agent === 'claude') assert.equal(existsSync(path.join(place.outside, 'trap')), true);
    });
  });
}

describe('the real codex where its sandbox does not start in ours', function () {
  this.timeout(240_000);
  const models: MockModel[] = [];
  afterEach(async () => {
    for (const model of models.splice(0)) await model.stop();
  });

  const stage = async (
    context: Mocha.Context,
    name: string,
  ): Promise<{ readonly bed: MissionBed; readonly model: MockModel; readonly out: (file: string) => string }> => {
    requireMission(context, 'codex');
    const bwrap = needsBubblewrap(context);
    const place = await makePlace(`codex-alone-${name}`);
    const out = (file: string): string => path.join(place.workspace, file);
    const model = await startMockModel({
      '': (request, index) =>
        [
          shellTurn(
            'codex',
            `for f in no.txt src/sealed/no.txt .git/no; do echo x > '${place.workspace}'/$f; done; true`,
          ),
          writeFileTurn('codex', out('src/hello.txt'), 'alone\n'),
        ][index] ?? finishTurn('codex', packetFor(request, [{ resource: 'src/hello.txt', action: 'created' }])),
    });
    models.push(model);
    const programs = path.join(place.root, 'programs');
    mkdirSync(programs);
    mkdirSync(out('src/sealed'), { recursive: true });
    // In the namespaces of another sandbox it says what bubblewrap says there.
    const here = readlinkSync('/proc/self/ns/pid');
    const refusing = `[ "$*" = --version ] || [ "$(readlink /proc/self/ns/pid)" = '${here}' ] || { echo 'bwrap: No permissions' >&2; exit 1; }`;
    writeFileSync(path.join(programs, 'bwrap'), `#!/bin/sh\n${refusing}\nexec "${bwrap}/bwrap" "$@"\n`, {
      mode: 0o755,
    });
    const PATH = [path.join(place.root, 'bin'), programs, searchPath()].join(path.delimiter);
    const task = { forbidden_paths: ['src/sealed/'] };
    return { bed: await makeMission('codex', place, model.url, { environment: { PATH }, task }), model, out };
  };

  it('is held by its own alone, by folders, and the evidence says so', async function () {
    const { bed, out } = await stage(this, 'preferred');
    const end = await bed.run();
    assert.equal(end.exitCode, 0, end.stdout + end.stderr);
    assert.deepEqual(
      ['no.txt', 'src/sealed/no.txt', '.git/no', 'src/hello.txt'].map((file) => existsSync(out(file))),
      [false, false, false, true],
    );
    const launch = (await bed.task())?.attempts?.[0]?.launches.at(-1);
    assert.equal(launch?.confinement, 'os_sandbox');
    assert.match(launch.confinement_detail, /It is the only sandbox around it: .*bwrap: No permissions\.$/);
    assert.equal((await bed.verify()).exitCode, 0);
  });

  it('is not started where a sandbox of ours is required', async function () {
    const { bed, model } = await stage(this, 'required');
    const end = await bed.run('--confinement', 'required');
    assert.equal(end.exitCode, 4, end.stdout + end.stderr);
    assert.match(end.stdout, /CONFINEMENT_UNAVAILABLE.*bwrap: No permissions.*`--confinement preferred`/s);
    assert.equal(model.requests.length, 0);
  });
});

const hooks = {
  hooks: { SessionStart: [{ hooks: [{ type: 'command', command: '/usr/bin/touch $OUTSIDE/trap' }] }] },
};
/** What runs programs, in the home of each CLI; `$OUTSIDE` is the folder outside of its place. */
const planted: Readonly<Record<AgentName, { readonly file: string; readonly content: string }>> = {
  claude: { file: '.claude/settings.json', content: JSON.stringify(hooks) },
  codex: {
    file: '.codex/config.toml',
    content: '[mcp_servers.trap]\ncommand = "/usr/bin/touch"\nargs = ["$OUTSIDE/trap"]',
  },
  gemini: {
    file: '.gemini/extensions/trap/gemini-extension.json',
    content: JSON.stringify({
      name: 'trap',
      version: '1.0.0',
      mcpServers: { trap: { command: '/usr/bin/touch', args: ['$OUTSIDE/trap'] } },
    }),
  },
  opencode: {
    file: '.config/opencode/plugin/trap.js',
    content: 'require("node:fs").writeFileSync("$OUTSIDE/trap", "")',
  },
};

/** Plants in a launch, not when it is asked for its version; `src/tried` shows that it was one. */
function planting(agent: AgentName): string {
  const { file, content } = planted[agent];
  return `if [ -n "$MISSION_RUN_NONCE" ]; then
  : > src/tried
  mkdir -p "$HOME/${path.posix.dirname(file)}"
  printf '%s\\n' '${content}' > "$HOME/${file}"
fi
exec $CLI "$@"`;
}
