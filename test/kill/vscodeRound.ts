import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { openNodeViewer } from '../../src/adapters/nodeViewer';
import type { Mission } from '../../src/core/model/state';
import { startServer, type Server } from '../vscode/harness/server';
import type { VscodeWindow } from '../vscode/harness/window';
import { checkWorkspace, markJournal, type JournalMark } from './checks';
import { handoffFaults } from './handoffChecks';
import { hostFiles, type HostOrder } from './hostFiles';
import { Hosts } from './hosts';
import { Person } from './person';
import { endOfProcesses, readLines, standing, type Kill } from './round';
import { makeWorkspace, placesIn, planPathOf, scenarios, type Places } from './scenarios';
import { endProcess, strike, processesOf } from './victims';
import { WindowPerson } from './windowPerson';
import type { RoundOutcome } from './campaign';

/** A sequential mission with a block and a retry, and one of three lanes. */
export const vscodeScenarios = ['moves', 'lanes'] as const;

export interface VscodeRoundPlan {
  readonly scenario: (typeof vscodeScenarios)[number];
  /** The first extension host dies by the first of them, the next one by the second; at most two. */
  readonly kills: readonly Kill[];
  readonly keep: boolean;
}

export interface VscodeRoundResult extends RoundOutcome {
  readonly plan: VscodeRoundPlan;
  /** Points that each extension host reached. */
  readonly points: readonly (readonly string[])[];
  /** From the moment in which a person asked for the mission. */
  readonly mission_ms: number;
}

const roundLimitMs = 180_000;

/** The product in the real VS Code, with an extension beside it that ends their extension host at a point. */
export class KillingVscode {
  private constructor(
    private readonly folder: string,
    private readonly server: Server,
  ) {}

  static async start(): Promise<KillingVscode> {
    const folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'mission-kill-vscode-')));
    const extension = path.join(folder, 'points');
    mkdirSync(extension);
    writeFileSync(path.join(extension, 'package.json'), JSON.stringify(manifest));
    const main = JSON.stringify(path.resolve('dist-test/kill/hostPoints.program.js'));
    writeFileSync(path.join(extension, 'main.js'), `module.exports = require(${main});\n`);
    const server = await startServer({
      workspaceDir: folder,
      extensionDir: product(),
      otherExtensionDirs: [extension],
      serverDataDir: path.join(folder, 'server'),
      // VS Code's own Git support starts processes in the same extension host.
      userSettings: { 'git.enabled': false },
    });
    return new KillingVscode(folder, server);
  }

  async stop(): Promise<readonly string[]> {
    await this.server.stop();
    const left = (await this.server.processes()).map(({ command }) => `Still alive at the end: ${command}`);
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 5 });
    return left;
  }

  /** One mission in a window of its own, whose extension hosts die as planned; the next ones are VS Code's doing. */
  async round(plan: VscodeRoundPlan): Promise<VscodeRoundResult> {
    const began = performance.now();
    const { scenario } = plan;
    const places = placesIn(realpathSync(mkdtempSync(path.join(tmpdir(), 'mission-kill-'))));
    const files = hostFiles(places.scratch);
    makeWorkspace(scenario, places);
    const kills = plan.kills.map((kill) =>
      kill.kind === 'point' ? kill.point : kill.kind === 'nth' ? kill.nth : null,
    );
    writeFileSync(
      files.order,
      JSON.stringify({ product: realpathSync(path.join(product(), 'dist/extension.js')), kills } satisfies HostOrder),
    );
    const problems: string[] = [];
    const marks: JournalMark[] = [];
    const found: string[] = [];
    const window = await this.#openWindow(places);
    const reader = new Person(scenario, places, () => false);
    const hosts = new Hosts(places.scratch);
    const person = new WindowPerson(window, path.join(places.workspace, planPathOf(scenario)));
    const struck = plan.kills.map(() => false);
    const over = new AbortController();
    const acting = act(person, reader, places, hosts, over.signal);
    let missions: readonly Mission[] = [];
    for (let ended = false; !ended;) {
      await sleep(30);
      const nth = hosts.newest();
      const kill = plan.kills[nth - 1];
      const since = person.asked_at === null ? -1 : performance.now() - person.asked_at;
      if (kill?.kind === 'time' && struck[nth - 1] !== true && since >= kill.ms)
        struck[nth - 1] = hosts.isAlive(nth) && (await strike(kill.victims, hosts.pid(nth), places));
      // The next one may be there already when a busy machine comes to look.
      while (found.length < nth - 1 || (found.length < nth && !hosts.isAlive(nth))) {
        found.push(standing((await reader.missions()).at(0)));
        marks.push(await markJournal(places));
        problems.push(...(await handoffFaults(places.workspace)));
      }
      missions = await reader.missions();
      ended =
        missions.length >= scenarios[scenario].missions &&
        missions.every(({ execution }) => execution === 'REPORTED') &&
        // The lease is given back by the process that had it, alive or dead; and of a dead one VS Code has made good.
        hosts.isAlive(hosts.newest()) &&
        !(await isOwned(places));
      if (ended || performance.now() - began < roundLimitMs) continue;
      problems.push(`The mission had not ended after ${roundLimitMs / 1000} s. ${person.trouble}`);
      problems.push(
        await window.screenshot(`kill-${scenario}-${String(kills[0])}`).then((file) => path.basename(file), String),
      );
      ended = true;
    }
    const mission_ms = Math.round(performance.now() - (person.asked_at ?? began));
    over.abort();
    await acting;
    await reader.leave(Promise.resolve());
    await window.close();
    problems.push(...(await this.#endOfHosts(hosts)), ...(await endOfRound(places)));
    const owners = hosts.newest();
    const points = Array.from({ length: owners }, (_, index) => readLines(files.points(index + 1)));
    const happened = plan.kills.map((kill, index) =>
      kill.kind === 'time'
        ? struck[index] === true
        : kill.kind === 'point'
          ? points[index]?.at(-1) === kill.point
          : points[index]?.length === kill.nth,
    );
    // One that died while its window closed has no successor.
    const killed = happened.filter(Boolean).length;
    if (owners !== 1 + found.length || found.length > killed)
      problems.push(`There were ${owners} extension hosts; ${found.length} died, ${killed} of them were killed.`);
    for (let nth = 1; nth <= owners; nth++)
      if (existsSync(files.late(nth))) problems.push('The product was loaded before its points.');
    const expected = { scenario, exact: true, stays: true, marks, acknowledged: [] };
    problems.push(...(await checkWorkspace(places, expected)));
    const kept = plan.keep && problems.length > 0;
    if (!kept) rmSync(places.scratch, { recursive: true, force: true, maxRetries: 5 });
    return {
      plan,
      kills: happened.map((it, index) => ({ happened: it, found: found[index] ?? '' })),
      owners,
      ending: standing(missions.at(0)),
      problems,
      points,
      commands: person.commands,
      ms: Math.round(performance.now() - began),
      mission_ms,
      folder: kept ? places.scratch : null,
    };
  }

  /** A page that a busy machine did not draw in time is loaded once more; nothing has happened by then. */
  async #openWindow({ scratch, workspace }: Places): Promise<VscodeWindow> {
    try {
      return await this.server.openWindow(workspace);
    } catch {
      for (const window of [...this.server.windows]) await window.close();
      await this.server.waitForExtensionHosts(0);
      rmSync(hostFiles(scratch).folder, { recursive: true, force: true });
      return this.server.openWindow(workspace);
    }
  }

  /** A closed window's extension host ends by itself. */
  async #endOfHosts(hosts: Hosts): Promise<readonly string[]> {
    const alive = (): readonly number[] => hosts.all().filter((nth) => hosts.isAlive(nth));
    for (let look = 1; look <= 200 && alive().length > 0; look++) await sleep(50);
    return alive().map((nth) => `Extension host ${nth} is alive though its window was closed.`);
  }
}

/** This repository, or an unpacked package. */
function product(): string {
  return process.env['MISSION_EXTENSION_DIR'] ?? process.cwd();
}

const manifest = {
  name: 'kill-points',
  publisher: 'test',
  version: '1.0.0',
  engines: { vscode: '^1.120.0' },
  main: './main.js',
  activationEvents: ['*'],
  extensionKind: ['workspace'],
};

/** Does what a person in front of the window would do, until the round is over. */
async function act(
  person: WindowPerson,
  reader: Person,
  places: Places,
  hosts: Hosts,
  over: AbortSignal,
): Promise<void> {
  let [left, host] = [0, 0];
  while (!over.aborted) {
    await sleep(100);
    const nth = hosts.newest();
    if (nth === 0 || !hosts.isAlive(nth)) continue;
    if (nth !== host) [left, host] = [performance.now(), nth];
    if (await isOwned(places)) left = performance.now();
    const [mission] = await reader.missions();
    const ended = (): boolean => over.aborted || hosts.newest() !== nth || !hosts.isAlive(nth);
    await person.decide(mission, performance.now() - left, ended, async () => (await reader.missions()).at(0));
  }
}

async function isOwned(places: Places): Promise<boolean> {
  const opened = await openNodeViewer({ workspaceDir: places.workspace, journal: { kind: 'in_process' } });
  if (!opened.ok || opened.value === null) return false;
  try {
    return await opened.value.isOwned();
  } finally {
    await opened.value.close();
  }
}

/** Terminals outlive their window, and show what ended long ago; all others have to be gone. */
async function endOfRound(places: Places): Promise<readonly string[]> {
  const isView = ({ command }: { readonly command: string }): boolean => /supervisor[^/]*\.cjs view /.test(command);
  for (let look = 1; look <= 100 && !processesOf(places).every(isView); look++) await sleep(50);
  for (const { pid } of processesOf(places).filter(isView)) endProcess(pid);
  return endOfProcesses(places);
}
