import assert from 'node:assert/strict';
import { KillingVscode, type VscodeRoundPlan } from '../kill/vscodeRound';
import { skipWithReason } from '../support/skip';
import { dumpOnFailure } from './harness/failureDump';

/** One point of each kind; all of them: `npm run test:kill -- --owner vscode`. */
const points: readonly (readonly [VscodeRoundPlan['scenario'], string])[] = [
  ['moves', 'sqlite.lease#1:after'],
  ['moves', 'journal.append(LaunchPrepared)#1:before'],
  ['lanes', 'journal.append(WorkerStarted)#2:after'],
  ['moves', 'process.spawn(supervisor.cjs own 1-counted)#1:after'],
  ['moves', 'fs.rename(TASK_counted.json)#1:before'],
  ['moves', 'fs.rename(handoff/1/role.md)#1:after'],
];

describe('kill -9 of the extension host at a point', function () {
  this.timeout(600_000);
  dumpOnFailure();
  let vscode: KillingVscode | undefined;
  before(async function () {
    if (process.platform !== 'linux') skipWithReason(this, 'who is alive is read from /proc');
    vscode = await KillingVscode.start();
  });
  after(async () => assert.deepEqual(await vscode?.stop(), vscode && []));

  for (const [scenario, point] of points)
    it(`${point} leaves every invariant of ${scenario}`, async () => {
      assert.ok(vscode);
      const { kills, problems, ending } = await vscode.round({
        scenario,
        kills: [{ kind: 'point', point }],
        keep: false,
      });
      assert.deepEqual(problems, []);
      assert.equal(kills[0]?.happened, true);
      assert.match(ending, /^REPORTED, completed/);
    });
});
