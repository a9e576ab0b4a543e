import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Context } from 'mocha';
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
import { finishTurn, packetFor, shellTurn, writeFileTurn } from './turns';

/** What bubblewrap says where the kernel forbids namespaces. */
const refusal = 'bwrap: No permissions to create new namespace';

/** The real CLIs where the sandbox of Mission Control cannot be had. */
for (const agent of agentNames) {
  describe(`the real ${agent} on a machine that forbids namespaces`, function () {
    this.timeout(240_000);
    const ends: (() => Promise<void>)[] = [];
    afterEach(async () => {
      for (const end of ends.splice(0).reverse()) await end();
    });

    const stage = async (context: Context, name: string, command?: string): Promise<Stage> => {
      requireMission(context, agent);
      const place = await makePlace(`${agent}-alone-${name}`);
      mkdirSync(path.join(place.workspace, 'src/sealed'), { recursive: true });
      const outside = `for f in ${kept.join(' ')}; do echo x > '${place.workspace}'/$f; done; true`;
      const turns = [
        ...(agent === 'codex' ? [shellTurn(agent, command ?? outside)] : []),
        writeFileTurn(agent, path.join(place.workspace, 'src', 'hello.txt'), 'alone\n'),
      ];
      const changes = [{ resource: 'src/hello.txt', action: 'created' }];
      const model = await startMockModel({
        '': (request, index) => turns[index] ?? finishTurn(agent, packetFor(request, changes)),
      });
      ends.push(() => model.stop());
      const PATH = [path.join(place.root, 'bin'), refusing(place, context, agent), searchPath()].join(path.delimiter);
      const task = { forbidden_paths: ['src/sealed/'] };
      const bed = await makeMission(agent, place, model.url, { environment: { PATH }, task });
      ends.push(() => bed.endLeftovers());
      return { place, bed, model };
    };

    it(`completes its task ${agent === 'codex' ? 'in its own sandbox alone' : 'observed'}, and the evidence says so`, async function () {
      const { place, bed } = await stage(this, 'preferred');
      const end = await bed.run();
      assert.equal(end.exitCode, 0, end.stdout + end.stderr);
      assert.equal(readFileSync(path.join(place.workspace, 'src', 'hello.txt'), 'utf8'), 'alone\n');
      const launch = (await bed.task())?.attempts?.[0]?.launches.at(-1);
      assert.equal(launch?.sandbox, undefined);
      assert.equal(launch?.confinement, agent === 'codex' ? 'os_sandbox' : 'tool_limits');
      assert.ok(launch.confinement_detail.includes(refusal), launch.confinement_detail);
      assert.match(
        launch.confinement_detail,
        agent === 'codex' ? /It is the only sandbox around it: / : /No sandbox around the approved paths of its task/,
      );
      if (agent === 'codex')
        for (const file of kept) assert.equal(existsSync(path.join(place.workspace, file)), false, file);
      assert.equal((await bed.verify()).exitCode, 0);
    });

    if (agent === 'codex')
      for (const mode of ['preferred', 'off'])
        it(`writes temporary files by a short name in its own sandbox, confinement ${mode}`, async function () {
          const { bed } = await stage(this, `tmp-${mode}`, 'echo "$TMPDIR" > "$TMPDIR/made"');
          const end = await bed.run('--confinement', mode);
          assert.equal(end.exitCode, 0, end.stdout + end.stderr);
          const [run = ''] = await bed.runDirs();
          assert.match(readFileSync(path.join(run, 'work/tmp/made'), 'utf8'), /^\/tmp\/mission-tmp-\w+\/t\n$/);
        });

    it('is not started where a sandbox is required', async function () {
      const { bed, model } = await stage(this, 'required');
      const end = await bed.run('--confinement', 'required');
      assert.equal(end.exitCode, 4, end.stdout + end.stderr);
      assert.equal(end.answer?.['code'], 'CONFINEMENT_UNAVAILABLE');
      assert.ok(end.stdout.includes(refusal), end.stdout);
      assert.equal(model.requests.length, 0);
      assert.deepEqual(await bed.runDirs(), []);
    });
  });
}

interface Stage {
  readonly place: AgentPlace;
  readonly bed: MissionBed;
  readonly model: MockModel;
}

/** What Codex's own sandbox keeps; the others have no shell where nothing holds them, or are observed. */
const kept = ['no.txt', 'src/sealed/no.txt', '.git/no'];

/** A folder with a bwrap that refuses, except to Codex, whose own profile would have nothing to stand on. */
function refusing({ root }: AgentPlace, context: Context, agent: AgentName): string {
  const folder = path.join(root, 'programs');
  mkdirSync(folder);
  const real = agent === 'codex' ? needsBubblewrap(context) : '';
  const ours = `case "$(readlink /proc/$PPID/exe)" in */node) echo '${refusal}' >&2; exit 1;; esac`;
  const rest = agent === 'codex' ? `exec '${real}/bwrap' "$@"` : `echo '${refusal}' >&2; exit 1`;
  writeFileSync(path.join(folder, 'bwrap'), `#!/bin/sh\n${ours}\n${rest}\n`, { mode: 0o755 });
  return folder;
}
