import { createRequire } from 'node:module';
import { done, errorWords, refused, type Outcome } from '../../base/outcome';
import { createFleetTables, isEmptyDatabase, type JobQueue } from './pgBossFleet';

export interface FleetDatabase {
  readonly jobs: JobQueue;
  close(): Promise<void>;
}

interface Boss extends JobQueue {
  getDb(): ReturnType<JobQueue['getDb']> & { open(): Promise<void> };
  start(): Promise<unknown>;
  stop(options: object): Promise<void>;
  on(event: 'error', listener: (error: Error) => void): void;
}

interface Package {
  readonly PgBoss: new (options: object) => Boss;
  /** The SQL that makes its tables. */
  getConstructionPlans(): string;
}

/**
 * Connects to tables that are there. Nothing but a fleet needs pg-boss, so it is no part of this installation: Node
 * finds it beside the program, or where NODE_PATH says.
 *
 * @param url with user and password, which no sentence repeats
 * @param does `supervise`: looks for hosts that have not said a word in time. `set up`: creates the tables where they
 *   are missing, with the rights of this user.
 */
export async function openFleetDatabase(
  url: string,
  does: 'ask' | 'supervise' | 'set up',
): Promise<Outcome<FleetDatabase>> {
  if (!/^postgres(?:ql)?:\/\//.test(url))
    return refused(
      'FLEET_UNAVAILABLE',
      'The name of the database begins with neither postgres:// nor postgresql://.',
      'Set MISSION_FLEET_DATABASE to postgres://USER@HOST/DATABASE.',
    );
  const open = openlyReached(url, process.env);
  if (open !== null)
    return refused(
      'FLEET_UNAVAILABLE',
      `The connection to ${open} would not be encrypted, so others on the way could read plans and change rows.`,
      'End the address with `?sslmode=verify-full`.',
    );
  const engine = load();
  if (!engine.ok) return engine;
  let boss: Boss | null = null;
  try {
    const looks =
      does === 'supervise' ? { superviseIntervalSeconds: 1, monitorIntervalSeconds: 1 } : { supervise: false };
    // A pg-boss that migrates also runs SQL from rows of its table `bam`, with all rights of its user.
    const never = { migrate: false, schedule: false, registerInstance: false };
    boss = new engine.value.PgBoss({ connectionString: url, max: 4, ...never, ...looks });
    // A lost connection is an event as well, and without a listener it would end the process.
    boss.on('error', () => undefined);
    if (does === 'set up') {
      await boss.getDb().open();
      if (await isEmptyDatabase(boss)) await boss.getDb().executeSql(engine.value.getConstructionPlans());
    }
    await boss.start();
    if (does === 'set up') await createFleetTables(boss);
    const opened = boss;
    return done({ jobs: opened, close: () => opened.stop({ graceful: false }) });
  } catch (error) {
    await boss?.stop({ graceful: false }).catch(() => undefined);
    const said = withoutSecrets(errorWords(error), url);
    return refused(
      'FLEET_UNAVAILABLE',
      `The database of the fleet cannot be used: ${said}.`,
      'Look whether it runs and takes this user. A new database, also for another version of pg-boss, needs `mission fleet setup` by its owner.',
    );
  }
}

function load(): Outcome<Package> {
  try {
    return done(createRequire(__filename)('pg-boss') as Package);
  } catch (error) {
    return refused(
      'FLEET_UNAVAILABLE',
      `pg-boss, the engine of a fleet, cannot be loaded: ${errorWords(error).split('\n')[0] ?? ''}.`,
      'Run `npm install --no-save pg-boss@12.38.0` where Mission Control lies.',
    );
  }
}

/**
 * The host that an address reaches without encryption; null: it is this machine, or the driver encrypts and looks at the
 * certificate. Reads the address and the variables as the driver `pg` does.
 */
function openlyReached(url: string, environment: NodeJS.ProcessEnv): string | null {
  const [, named = '', query = ''] = /^[^:]+:\/\/(?:[^@/?]*@)?(\[[^\]]*\]|[^/?:]*)[^?]*(?:\?(.*))?$/s.exec(url) ?? [];
  const asked = new URLSearchParams(query);
  const host = [asked.get('host'), decoded(named), environment.PGHOST].find((one) => one) ?? 'localhost';
  const mode = asked.get('sslmode') ?? environment.PGSSLMODE ?? '';
  const here = host.startsWith('/') || /^(?:localhost|127\.[\d.]+|\[?::1\]?)$/.test(host);
  return here || ['require', 'verify-ca', 'verify-full'].includes(mode) ? null : host;
}

/** Takes the address and its password out of what a driver says. */
function withoutSecrets(text: string, url: string): string {
  const password = /^[^@]*:([^:@/]+)@/.exec(url)?.[1] ?? '';
  return [url, password, decoded(password)]
    .filter((secret) => secret !== '')
    .reduce((left, secret) => left.replaceAll(secret, '…'), text);
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return '';
  }
}
