import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { fleetTools } from '../../../scripts/fleet/tools.mjs';
import type { PostgresServer } from '../../../scripts/postgres.mjs';
import { startPostgres } from '../../../scripts/postgres.mjs';
import type { JobQueue } from '../../../src/adapters/fleet/pgBossFleet';
import { createFleetTables, createPgBossFleet } from '../../../src/adapters/fleet/pgBossFleet';
import { skipWithReason } from '../../support/skip';
import { fleetSuite, planned } from './suite';

interface Boss extends JobQueue {
  start(): Promise<unknown>;
  stop(options: object): Promise<void>;
  supervise(): Promise<void>;
  deleteAllJobs(): Promise<unknown>;
  on(event: 'error', listener: (error: Error) => void): void;
}

interface PgBossPackage {
  readonly PgBoss: new (options: object) => Boss;
  readonly getConstructionPlans: () => string;
}

const snapshot = 'test/adapters/fleet/schema.sql';

describe('a fleet on PostgreSQL', function () {
  this.timeout(300_000);
  let server: PostgresServer;
  let pgBoss: PgBossPackage;
  let boss: Boss;
  const ends: (() => Promise<void>)[] = [];

  before(async function () {
    const tools = await fleetTools(process.cwd());
    if (tools.missing !== undefined) skipWithReason(this, tools.missing);
    pgBoss = tools.packages('pg-boss') as PgBossPackage;
    server = await startPostgres(process.cwd(), tools.postgres);
    ends.unshift(() => server.stop());
    const own = { host: path.dirname(server.socket), user: 'mission', password: server.password, database: 'postgres' };
    boss = new pgBoss.PgBoss({ ...own, supervise: false, schedule: false });
    // A lost connection is an event as well, and without a listener it would end the process.
    boss.on('error', () => {});
    await boss.start();
    ends.unshift(() => boss.stop({ graceful: false }));
    await createFleetTables(boss);
  });
  after(async () => {
    for (const end of ends) await end();
  });

  async function openFleet(): Promise<{ fleet: ReturnType<typeof createPgBossFleet>; silence: () => Promise<void> }> {
    await boss.deleteAllJobs();
    return { fleet: createPgBossFleet(boss), silence };
  }

  /** Makes the last word of each host and the last look of pg-boss old, and lets it look. */
  async function silence(): Promise<void> {
    const database = boss.getDb();
    await database.executeSql(
      "UPDATE pgboss.job SET heartbeat_on = heartbeat_on - interval '1 hour' WHERE state = 'active'",
    );
    await database.executeSql('UPDATE pgboss.queue SET monitor_claim_on = NULL, monitor_on = NULL');
    await boss.supervise();
  }

  fleetSuite('pg-boss', openFleet);

  it('calls a claim lost for good when the database did not answer, and hands the mission on', async () => {
    const { fleet } = await openFleet();
    await fleet.submit(planned('A'));
    const claim = await fleet.claim(new Set());
    assert(claim !== null);
    const restarted = server.restart();
    while ((await claim.beat()) !== 'lost');
    await restarted;
    assert.equal(await claim.beat(), 'lost');
    await silence();
    assert.deepEqual((await fleet.claim(new Set()))?.order, planned('A').order);
  });

  // An update of pg-boss that changes its tables shows in review: MISSION_RECORD_SCHEMA=1 records them.
  it('pg-boss makes the tables that were reviewed', () => {
    const schema =
      `-- Written by a test of a fleet: what pg-boss (MIT) runs in an empty database.\n${pgBoss.getConstructionPlans()}`
        .replaceAll(/[ \t]+$/gm, '')
        .trimEnd();
    if (process.env['MISSION_RECORD_SCHEMA'] === '1') writeFileSync(snapshot, `${schema}\n`);
    assert.equal(readFileSync(snapshot, 'utf8'), `${schema}\n`);
  });
});
