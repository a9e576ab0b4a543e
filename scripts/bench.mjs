// `npm run bench`: how fast the product is, each number beside what the same work costs at least, measured in the same
// run. Nothing is asserted on time: machines differ, ratios less so.
//
//   node scripts/bench.mjs [--json] [--report FILE] [--against FILE] [--tasks 10,200] [journal] [growth] [exponents] [observation] [validation] [transcripts] [redaction] [launch] [confined] [layers] [mission] [frames] [panel] [events] [page] [activation] [sizes] [fleet] [peers]
//
// Builds what it needs. --json prints the numbers as JSON, --report writes them as Markdown. --against names each ratio
// that is worse than in an earlier report by more than 15 %. peers, the same work by others, runs where it is named
// alone. --tasks says how many tasks the two missions have.
import { spawnSync } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { parseArgs } from 'node:util';
import { worseRatios } from './worse.mjs';

const root = path.resolve(path.dirname(new URL(import.meta.url).pathname), '..');
process.chdir(root);
const { values: flags, positionals: parts } = parseArgs({
  allowPositionals: true,
  options: {
    json: { type: 'boolean', default: false },
    report: { type: 'string' },
    against: { type: 'string' },
    tasks: { type: 'string', default: '10,200' },
  },
});
/** The Node that the project brings; the machine's own may be older. */
const node = path.join('node_modules/.bin', process.platform === 'win32' ? 'node.exe' : 'node');

const earlier = flags.against === undefined ? null : await readFile(flags.against, 'utf8');
// Builds as for publication, because people have that.
run(['scripts/build.mjs', '--minify', '--tests', 'bench'], 'inherit');
const result = JSON.parse(run(['dist-test/bench/bench.program.js', flags.tasks, ...parts], 'pipe'));
const nodeVersion = run(['--version'], 'pipe').trim();

if (flags.json) console.log(JSON.stringify({ machine: machine(), ...result }, null, 2));
else console.log(`\n${[...table(), '', ...missions()].join('\n')}`);
if (earlier !== null) {
  const worse = worseRatios(earlier, rows());
  console.error(
    worse.length === 0 ? 'no ratio is worse by more than 15 %' : ['worse by more than 15 %:', ...worse].join('\n  '),
  );
}
if (flags.report !== undefined) await writeFile(flags.report, report());

function run(args, stdout) {
  const {
    status,
    stdout: text,
    error,
  } = spawnSync(node, args, { stdio: ['ignore', stdout, 'inherit'], encoding: 'utf8' });
  if (error) throw error;
  if (status !== 0) process.exit(status ?? 1);
  return text;
}

function machine() {
  const [cpu] = os.cpus();
  const memory = Math.round(os.totalmem() / 2 ** 30);
  return `${os.type()} ${os.release().split('-')[0]}, ${os.cpus().length} x ${cpu?.model.trim() ?? 'unknown CPU'}, ${memory} GB, Node ${nodeVersion}, load ${os.loadavg()[0].toFixed(1)}`;
}

function commit() {
  const git = (...args) => spawnSync('git', args, { encoding: 'utf8' }).stdout?.trim() ?? '';
  return `${git('rev-parse', '--short', 'HEAD') || 'no commit'}${git('status', '--porcelain', '--', 'src') === '' ? '' : ' with changes'}`;
}

function rows() {
  return result.lines.map(({ name, unit, ours, against, limit, aim }) => {
    const ratio = limit === null ? null : ours / limit;
    const sign = aim?.is === 'at_least' ? '>=' : '<=';
    const measured = aim?.of === 'ratio' ? ratio : ours;
    const met =
      aim === null ? '' : (aim.is === 'at_least' ? measured >= aim.value : measured <= aim.value) ? 'yes' : 'no';
    return [
      name,
      `${number(ours)} ${unit}`,
      limit === null ? '-' : `${number(limit)} ${unit}`,
      against,
      ratio === null ? '-' : ratio.toFixed(2),
      aim === null ? '-' : `${sign} ${aim.value}${aim.of === 'ratio' ? '' : ` ${unit}`}`,
      met,
    ];
  });
}

function table() {
  const all = [['name', 'ours', 'limit', 'the limit is', 'ratio', 'aim', 'met'], ...rows()];
  const widths = all[0].map((_, column) => Math.max(...all.map((row) => row[column].length)));
  return all.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column]))
      .join('  ')
      .trimEnd(),
  );
}

/** Measures the time between two workers by its parts, and whether it stays the same while a mission grows. */
function missions() {
  return result.missions.flatMap(({ tasks, exitToStart, parts: steps, firstTenth, lastTenth }) => [
    `${tasks} tasks: ${number(exitToStart)} ms from worker exit to next worker start (median), of which`,
    ...steps.map(({ name, ms }) => `  ${number(ms).padStart(6)} ms  ${name}`),
    `  per task: ${number(firstTenth)} ms in the first tenth of the mission, ${number(lastTenth)} ms in the last`,
  ]);
}

function report() {
  const cells = (row) => `| ${row.join(' | ')} |`;
  const head = ['name', 'ours', 'limit', 'the limit is', 'ratio', 'aim', 'met'];
  return [
    '# Benchmarks',
    '',
    'Written by `npm run bench -- --report docs/reports/bench.md`. Every limit was measured in the same run, in turns with ours; medians, of launches the fastest. A ratio is ours divided by the limit. Validation, transcripts and blocking are CPU time of the thread; the journal and missions are time on the wall, which a busy machine (see its load) makes longer.',
    '',
    `Machine: ${machine()}. Measured at ${commit()}.`,
    '',
    cells(head),
    cells(head.map(() => '---')),
    ...rows().map(cells),
    '',
    ...missed(),
    ...(result.missions.length === 0 ? [] : ['## Between two workers', '', '```text', ...missions(), '```', '']),
  ].join('\n');
}

function missed() {
  const whys = rows().flatMap((row, at) =>
    row.at(-1) === 'no' ? [`- ${row[0]}: ${result.lines[at].why ?? 'not looked at yet.'}`] : [],
  );
  return whys.length === 0 ? [] : ['## Aims that are missed, and why', '', ...whys, ''];
}

function number(value) {
  return value >= 1000 ? Math.round(value).toString() : value >= 10 ? value.toFixed(0) : value.toFixed(2);
}
