import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { agentNames } from '../../src/contracts/vocabulary/workers';
import { needsBubblewrap } from '../support/bubblewrap';
import { makePlace, searchPath } from './homes';
import { makeMission } from './missionRun';
import { requireMission } from './missionSuite';
import { startMockModel } from './mockModel';
import { finishTurn, packetFor, shellTurn, writeFileTurn } from './turns';

/** A model that writes although the declared intent of its task only reads. */
for (const agent of agentNames) {
  describe(`the real ${agent} with a task that only reads`, function () {
    this.timeout(240_000);

    it('writes nothing in the approved paths, by its tools or a shell, and its evidence says read-only', async function () {
      requireMission(this, agent);
      const bwrap = needsBubblewrap(this);
      const place = await makePlace(`${agent}-read-only`);
      const old = path.join(place.workspace, 'src', 'old.txt');
      mkdirSync(path.dirname(old), { recursive: true });
      writeFileSync(old, 'old\n');
      const made = path.join(place.workspace, 'src', 'new.txt');
      const model = await startMockModel({
        '': (request, index) => {
          if (index === 0) return writeFileTurn(agent, made, 'new\n');
          if (index === 1) return shellTurn(agent, `echo more >> ${old}; touch ${made}; rm ${old}`);
          return finishTurn(agent, packetFor(request, []));
        },
      });
      const PATH = [path.join(place.root, 'bin'), bwrap, searchPath()].join(path.delimiter);
      const bed = await makeMission(agent, place, model.url, {
        environment: { PATH },
        task: { intent: 'research' },
      });
      try {
        const end = await bed.run('--confinement', 'required');
        const words = end.stdout + end.stderr;
        assert.equal(readFileSync(old, 'utf8'), 'old\n', words);
        assert.equal(existsSync(made), false, words);
        const attempt = (await bed.task())?.attempts?.at(-1);
        assert.deepEqual(attempt?.changes, [], words);
        assert.equal(attempt.launches[0]?.sandbox_state, 'read_only');
        assert.ok(model.requests.length > 2, words);
      } finally {
        await bed.endLeftovers();
        await model.stop();
      }
    });
  });
}
