import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { runCampaign, type CampaignOptions } from './campaign';
import { problemsOf, reportOf, totalsOf, withVscodePart } from './report';
import { runVscodeCampaign } from './vscodeCampaign';

/** What `npm run test:kill` runs; scripts/test-kill.mjs says what its options mean. */
async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      rounds: { type: 'string', default: '1' },
      seed: { type: 'string', default: '1' },
      times: { type: 'string', default: '10' },
      jobs: { type: 'string' },
      owner: { type: 'string', default: 'program' },
      minutes: { type: 'string' },
      point: { type: 'string' },
      report: { type: 'string' },
      'by-chance-only': { type: 'boolean', default: false },
      keep: { type: 'boolean', default: false },
    },
  });
  const { owner } = values;
  if (owner !== 'program' && owner !== 'vscode') throw new Error(`--owner is program or vscode, not ${owner}.`);
  const began = Date.now();
  const options: CampaignOptions = {
    rounds: Number(values.rounds),
    seed: Number(values.seed),
    times: Number(values.times),
    jobs: Number(values.jobs ?? (owner === 'vscode' ? 1 : 3)),
    minutes: values.minutes === undefined ? null : Number(values.minutes),
    point: values.point ?? null,
    keep: values.keep,
    by_chance_only: values['by-chance-only'],
    onRound({ name, result, happened }, left) {
      const words =
        result.problems.length > 0 ? `VIOLATED ${result.problems.join(' ')}` : happened ? 'ok' : 'not passed';
      process.stdout.write(
        `${String(left).padStart(5)}  ${words}  ${name}  (${result.owners} owners, ${result.ms} ms)\n`,
      );
    },
  };
  const campaign = await (owner === 'vscode' ? runVscodeCampaign(options) : runCampaign(options));
  const { rounds, left_out } = campaign;
  if (values.report !== undefined) {
    const before = existsSync(values.report) ? readFileSync(values.report, 'utf8') : '';
    const text = owner === 'vscode' ? before : reportOf(campaign, options);
    const part = owner === 'vscode' ? { campaign, options } : before;
    mkdirSync(path.dirname(path.resolve(values.report)), { recursive: true });
    writeFileSync(values.report, withVscodePart(text, part));
  }
  const { points, kills, not_reached, commands, problems } = totalsOf(rounds);
  process.stdout.write(`\n${problemsOf(rounds).join('\n')}\n`);
  process.stdout.write(
    `${rounds.length} rounds (${left_out} left out), ${points} points, ${kills} kills, ${not_reached} rounds whose point was not passed, ${commands} commands acknowledged, ${problems} rounds with a violated invariant, ${Math.round((Date.now() - began) / 1000)} s\n`,
  );
  return problems === 0 && rounds.length > 0 ? 0 : 1;
}

main().then(
  (code) => (process.exitCode = code),
  (error: unknown) => {
    process.stderr.write(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
    process.exitCode = 1;
  },
);
