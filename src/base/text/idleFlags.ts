/** Known programs with the flags by which each ends before its work. Flags behind a script belong to the script. */
const rows: readonly (readonly [programs: string, flags: RegExp, interprets?: 'script'])[] = [
  ['sh bash dash ksh zsh ash', /^-[a-z]*n[a-z]*$/, 'script'],
  ['node nodejs', /^-[vhc]$|^--check$/, 'script'],
  ['python python3 py', /^-(?:V+|h)$/, 'script'],
  ['ruby', /^-(?:c|h)$/, 'script'],
  ['perl', /^-(?:c|v|h)$/, 'script'],
  ['php', /^-(?:l|v|i|m|h)$|^--(?:syntax-check|info)$/, 'script'],
  ['deno', /^-[Vh]$|^--no-run$/],
  ['bun', /^-[vh]$/],
  ['npm yarn pnpm', /^-[vh]$/],
  ['make gmake', /^-[bBdeikLprRsSw]*[nqt][a-zA-Z]*$|^-[vh]$|^--(?:just-print|dry-run|recon|touch|question)$/],
  ['ninja', /^-n$|^--dry-run$/],
  ['just', /^-[nlV]$|^--(?:dry-run|list|summary)$/],
  ['pytest py.test', /^-[Vh]$|^--(?:co|collect-only|collectonly|fixtures|markers|setup-plan)$/],
  ['tox', /^-[hl]$|^--(?:listenvs|showconfig|notest)$/],
  ['nox', /^-[hl]$|^--list(?:-sessions)?$/],
  ['jest', /^-[vh]$|^--(?:listTests|showConfig|init)$/],
  ['vitest', /^-[vh]$/],
  ['mocha', /^-[Vh]$|^--(?:dry-run|list-files|list-reporters|list-interfaces)$/],
  ['playwright', /^-[Vh]$|^--list$/],
  ['rspec', /^-[vh]$|^--dry-run$/],
  ['cucumber cucumber-js behave', /^-[dh]$|^--dry-run$/],
  ['phpunit', /^-h$|^--list-(?:tests|groups|suites)$/],
  ['bats', /^-[chv]$|^--count$/],
  ['ctest', /^-N$|^--show-only(?:=.*)?$/],
  ['go', /^-(?:n|list|list=.*)$/],
  ['cargo', /^-[Vh]$|^--(?:no-run|list)$/],
  ['dotnet', /^-[th]$|^--list-tests$/],
  ['mvn', /^-[vh]$/],
  ['gradle gradlew', /^-[mvh]$|^--dry-run$/],
  ['tsc', /^-[vh]$|^--(?:init|showConfig|listFilesOnly|all)$/],
  ['eslint oxlint biome', /^-[vhV]$|^--(?:print-config|env-info|init)$/],
  ['ruff mypy pylint flake8', /^-[Vh]$|^--(?:show-files|show-settings)$/],
];
const ofAll = /^--(?:version|help)$/;
/** A program describes itself, or the machine. */
const describes = /^--?(?:version|help|info|[vVhmi]+)$/;
const table = new Map(rows.flatMap(([names, ...row]) => names.split(' ').map((name) => [name, row] as const)));

/** Flags by which a runner passes without work or with faults, and flags that only runners have. */
const anywhere = new Set(['--if-present', '--passWithNoTests', '--pass-with-no-tests', '--no-error-on-unmatched-pattern', '--allow-empty-input', '--exit-zero', '--suppress-no-test-exit-code', '--listTests', '--list-tests', '--collect-only']); // prettier-ignore

/** A flag or a setting by which a build leaves out its tests, such as Maven's, or passes without any. */
const skipsTests = /^-(?!.*=false$).*(?:skip[-._]?(?:tests?|its)\b|tests?[-._]skip\b|no-tests=pass)/i;

/** The same flags where only their program has them. */
const ignoresErrors = /^-[bBdekLpqrRsSw]*i[a-zA-Z]*$|^--ignore-errors$/;
const passing = new Map([
  ['make', ignoresErrors],
  ['gmake', ignoresErrors],
  ['mvn', /^-(?:fn|-fail-never)$|^-Dmaven\.test\.failure\.ignore(?:=true)?$/],
]);

/** Programs that start the program behind their options. */
const leads = new Set('env timeout nice nohup time npx pnpm yarn bunx npm uv poetry pipenv pdm bundle python python3 py node nodejs'.split(' ')); // prettier-ignore
/** Programs that pass whatever the task did. */
export const succeeding = new Set(['true', ':', 'echo', 'printf', 'sleep']);
/** Those of them behind which `test` is the program, and not a script of a package. */
const wrappers = new Set(['env', 'timeout', 'nice', 'nohup', 'time']);
const tests = new Set(['test', '[']);
/** The options whose value is the program that an interpreter runs. Perl and Ruby read files with others beside these. */
const inlinePrograms = new Map(
  [['node nodejs bun', /^(?:-[ep]|-pe|--eval|--print)$/], ['python python3 py', /^-[a-zA-Z]*c$/], ['perl ruby', /^-w?e$/], ['php', /^-r$/]].flatMap(([names, option]) => String(names).split(' ').map((name) => [name, option as RegExp] as const)), // prettier-ignore
);
const betweenLeads = /^(?:-.*|\w+=.*|\d.*|run|exec|dlx)$/;

/** A flag of a command by which nothing may be checked. `certain`: its program runs nothing of its work. */
export interface IdleFlag {
  readonly at: number;
  readonly flag: string;
  readonly certain: boolean;
  /** An interpreter reads the script and does not run it. */
  readonly syntax?: true;
}

export function idleFlag(argv: readonly string[]): IdleFlag | null {
  const start = startOf(argv);
  const [flags, interprets] = table.get(programName(argv[start])) ?? [];
  if (flags)
    for (let at = start + 1; at < argv.length; at += 1) {
      const word = argv[at] ?? '';
      if (word === '--' || (interprets && !word.startsWith('-'))) break;
      if (flags.test(word) || ofAll.test(word))
        return { at, flag: word, certain: true, ...(interprets && !describes.test(word) && { syntax: true }) };
    }
  const passes = passing.get(programName(argv[start]));
  const at = argv.findIndex(
    (word, index) => anywhere.has(word) || skipsTests.test(word) || (index > start && passes?.test(word)),
  );
  return at < 0 ? null : { at, flag: argv[at] ?? '', certain: false };
}

/** Finds the program that does the work, behind `env`, `npx`, `python -m` and their like. */
export function startOf(argv: readonly string[]): number {
  let at = 0;
  while (leads.has(programName(argv[at]))) {
    const next = argv.findIndex((word, index) => index > at && !betweenLeads.test(word));
    const name = programName(argv[next]);
    if (next < 0 || !(isKnown(name) || (tests.has(name) && wrappers.has(programName(argv[at]))))) break;
    at = next;
  }
  return at;
}

/** Returns whether a `test` passes by its words alone: one word is true, and constants stay what they are. */
export function passesByItsWords(argv: readonly string[], start: number): boolean {
  if (!tests.has(programName(argv[start]))) return false;
  const words = argv.slice(start + 1).filter((word, index, all) => word !== ']' || index < all.length - 1);
  const [left = '', operator, right] = words;
  if (words.some((word) => /[$`"'*?]/.test(word)) || words.length > 3) return false;
  if (words.length < 3) return left === '-n' || (words.length === 1 && left !== '');
  return /^(?:==?|-[lg]e|-eq)$/.test(operator ?? '')
    ? left === right
    : /^(?:!=|-ne)$/.test(operator ?? '') && left !== right;
}

/** Finds the operand behind a program in a text of an interpreter, where that text reads no operands. */
export function unreadOperand(
  argv: readonly string[],
  start: number,
): { readonly program: number; readonly operand: number } | null {
  const option = inlinePrograms.get(programName(argv[start]));
  const program = argv.findIndex((word, index) => index > start && option?.test(word)) + 1;
  const text = argv[program] ?? '';
  const isOption = (index: number): boolean => /^-/.test(argv[index] ?? '');
  const operand = argv.findIndex(
    (word, index) =>
      index > program &&
      !isOption(index) &&
      word !== '' &&
      (index === program + 1 || /^--(?:$|.*=)/.test(argv[index - 1] ?? '')),
  );
  if (program === 0 || operand < 0 || /argv|args|argf|shift|<>|gets|lines|stdin|\$/i.test(text)) return null;
  const leads = argv
    .slice(start + 1, program)
    .every((_, index) => isOption(start + 1 + index) || isOption(start + index));
  return leads ? { program, operand } : null;
}

/** Returns whether a name is of a program of which something is known here. */
export function isKnown(name: string): boolean {
  return table.has(name) || leads.has(name) || succeeding.has(name);
}

export function programName(word = ''): string {
  const name = word.slice(Math.max(word.lastIndexOf('/'), word.lastIndexOf('\\')) + 1);
  return name.includes('.') ? name.replace(/\.(?:exe|cmd|c?js|mjs)$/i, '') : name;
}
