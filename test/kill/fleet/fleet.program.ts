import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { CampaignBed } from './bed';
import { runCampaign } from './campaign';
import { HostNetwork } from './network';
import { isGood, reportOf } from './report';
import { measureThroughput } from './throughput';

const hosts = 3;

/** What `npm run bench:fleet` runs; scripts/fleet-report.mjs says what its options mean. */
async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      missions: { type: 'string', default: '200' },
      throughput: { type: 'string' },
      report: { type: 'string' },
    },
  });
  const missions = Number(values.missions);
  const timed = Number(values.throughput ?? missions);
  if (!(missions >= 1 && timed >= 1)) throw new Error('--missions and --throughput take a number from 1 on.');
  const say = (words: string): void =>
    void process.stdout.write(`${new Date().toISOString().slice(11, 19)} ${words}\n`);
  const files = mkdtempSync(path.join(os.tmpdir(), 'mission-fleet-network-'));
  // A signal ends the process without the `finally` below.
  process.once('exit', () => rmSync(files, { recursive: true, force: true }));
  const network = await HostNetwork.create(hosts, files);
  const [cpu] = os.cpus();
  const load = os.loadavg()[0] ?? 0;
  const machine = `Node ${process.version}, ${os.cpus().length} x ${cpu?.model.trim() ?? 'unknown'}, load ${load.toFixed(1)}`;
  const without = typeof network === 'string' ? network : null;
  if (without !== null) say(`No namespaces, and so no partitions: ${without}.`);
  const withBed = async <T>(made: HostNetwork | null, work: (bed: CampaignBed) => Promise<T>): Promise<T> => {
    const bed = await CampaignBed.open(made);
    if (typeof bed === 'string') throw new Error(bed);
    try {
      return await work(bed);
    } finally {
      await bed.close();
    }
  };
  try {
    const net = typeof network === 'string' ? null : network;
    const campaign = await withBed(net, (bed) => runCampaign(bed, net, { missions, hosts, say }));
    for (const one of [...campaign.lost, ...campaign.double, ...campaign.unverified]) say(`WRONG ${one}`);
    const throughput = await withBed(null, (bed) => measureThroughput(bed, timed, say));
    const command = `npm run bench:fleet -- --missions ${missions} --throughput ${timed} --report docs/reports/fleet.md`;
    const text = reportOf({ command, machine, without, campaign, throughput });
    process.stdout.write(`\n${text}`);
    if (values.report !== undefined) {
      mkdirSync(path.dirname(path.resolve(values.report)), { recursive: true });
      writeFileSync(values.report, text);
    }
    return isGood(campaign) ? 0 : 1;
  } finally {
    if (typeof network !== 'string') network.remove();
  }
}

// An end by a signal is an exit as well, so that network and database end with this process.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));
main().then(
  (code) => (process.exitCode = code),
  (error: unknown) => {
    process.stderr.write(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
    process.exitCode = 1;
  },
);
