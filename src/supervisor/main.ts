import { ownRun } from './own';
import { viewRun } from './view';

const usage = `usage: supervisor.js own RUN_DIR     claim the launch ticket of a run and own its worker
       supervisor.js view RUN_DIR [--hold]   show a run; starts and stops nothing
`;

/** Entry of the program: `own` is started by an owner (CLI, extension host), `view` by a terminal. */
async function main(argv: readonly string[]): Promise<number> {
  const [mode, runDir, ...rest] = argv;
  if (runDir === undefined || runDir === '') return misuse();
  if (mode === 'own' && rest.length === 0) return ownRun(runDir);
  if (mode === 'view' && rest.every((option) => option === '--hold')) return viewRun(runDir, { hold: rest.length > 0 });
  return misuse();
}

function misuse(): number {
  process.stderr.write(usage);
  return 2;
}

main(process.argv.slice(2)).then(
  (code) => process.exit(code),
  (error: unknown) => {
    process.stderr.write(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
    process.exit(1);
  },
);
