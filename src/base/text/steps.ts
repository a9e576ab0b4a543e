import { commandEntries, type PlainLine } from '../../contracts/vocabulary/commands';
import type { PlanEdit, Step, StepArguments, StepCommand } from '../../contracts/vocabulary/steps';
import { quotedArguments } from './marked/visible';

/** A command that a person can type as it stands, after filling in NAME and TEXT. */
export function decisionStep(...commandWords: readonly string[]): string {
  return `mission ${commandWords.join(' ')} --by NAME --reason TEXT`;
}

/** `mission <command> <file>`, the file quoted where a shell would take its name for several words. */
export function fileStep(command: string, file: string, ...options: readonly string[]): string {
  return ['mission', command, quotedArguments([file]), ...options].join(' ');
}

/** The next step when a command of an agent is refused. */
export const personStep = 'A person decides it, in the editor or in a terminal of their own.';

interface Wording<Arguments> {
  /** False: it is no decision, so it takes neither name nor reason. */
  readonly decides?: false;
  /** What follows the command; absent: mission and task, as far as the step has them. */
  readonly words?: (args: Arguments) => readonly string[];
}

/** Steps whose line is more than the command with its mission and task. */
const wordings: { readonly [C in StepCommand]?: Wording<StepArguments[C]> } = {
  accept: { words: ({ mission, task, names }) => [mission, task, ...names.map(shellWord)] },
  answer: {
    words: ({ mission, task, choice, packet }) => [
      ...(packet === undefined ? onTask(mission, task) : [mission, '--packet', packet]),
      ...(choice === null ? ['--text', 'TEXT'] : ['--choice', choice]),
    ],
  },
  'context new': { decides: false },
  grant: { words: ({ mission, task, place }) => onTask(`${mission} ${shellWord(place)}`, task) },
  'journal verify': { decides: false },
  'memory confirm': {
    words: ({ mission, task, rest, replace = [], keep_old = [] }) => [
      ...onTask(mission, task),
      `--${rest}-all`,
      ...replace.flatMap((name) => ['--replace', name]),
      ...keep_old.flatMap((name) => ['--keep-old', name]),
    ],
  },
  'packet resolve': {
    words: ({ packet, outcome }) => [
      ...[packet, '--outcome', outcome],
      ...(outcome === 'ask-user' ? ['--question', 'TEXT'] : []),
    ],
  },
  'packet revise': {
    words: ({ mission, task, field, value }) => [...onTask(mission, task), '--set', `${field}=${value ?? 'TEXT'}`],
  },
  'plan revise': {
    decides: false,
    words: ({ mission, edit }) => [mission, ...(edit ? editOptions(edit) : [])],
  },
};

/** The title of the palette's command for a step; null: the palette has none. */
function titleOf(command: StepCommand): string | null {
  if (command === 'context new') return 'Create ai.project.json';
  return commandEntries.find(([, { line }]) => line === command)?.[1].title ?? null;
}

function ofWhat(args: Step['args']): readonly string[] {
  const { mission, task } = args as { readonly mission?: string; readonly task?: string };
  return [mission ?? [], task ?? []].flat();
}

function onTask(mission: string, task: string): readonly string[] {
  return [mission, '--task', task];
}

function editOptions(edit: PlanEdit): readonly string[] {
  if (edit.kind === 'opens') return edit.entries.flatMap((entry) => ['--open', shellWord(entry)]);
  if (edit.kind !== 'writes') return [`--${edit.kind}`];
  return edit.paths.flatMap((path) => ['--writes', shellWord(`${edit.task}=${path}`)]);
}

/** The steps by which a person takes these lines now: of the mission, or of each task that takes one. */
export function offeredSteps(
  mission: string,
  offers: Readonly<Record<string, boolean | readonly string[]>>,
  ...lines: readonly PlainLine[]
): readonly Step[] {
  return lines.flatMap((command) => {
    const [type = ''] = commandEntries.find(([, { line }]) => line === command) ?? [];
    const offered = offers[type] ?? false;
    const of =
      typeof offered === 'boolean' ? (offered ? [{ mission }] : []) : offered.map((task) => ({ mission, task }));
    return of.map((args) => ({ command, args }) as Step);
  });
}

/** The step as a person types it, or as a sentence where nothing is typed. */
export function stepLine(step: Step): string {
  if (step.command === 'mend') return step.args.what;
  const { decides = true, words = ofWhat } = (wordings[step.command] ?? {}) as Wording<Step['args']>;
  const line = [step.command, ...words(step.args)];
  return decides ? decisionStep(...line) : ['mission', ...line].join(' ');
}

export function stepLines(steps: readonly Step[]): readonly string[] {
  return steps.map(stepLine);
}

/** The steps as the terminal of a worker is given them. `title`: of the palette's command; null: it has none. */
export function stepTexts(steps: readonly Step[]): readonly { readonly line: string; readonly title: string | null }[] {
  return steps.map((step) => ({ line: stepLine(step), title: titleOf(step.command) }));
}

/** The palette commands for these steps, in their order: `Mission Control: Retry Task or Skip Task`; null: none. */
export function paletteWords(steps: readonly Step[]): string | null {
  return paletteSentence(steps.map(({ command }) => titleOf(command)));
}

/** @param titles null where the palette has no such command */
export function paletteSentence(titles: readonly (string | null)[]): string | null {
  const [first, ...others] = [...new Set(titles)].filter((title) => title !== null);
  if (first === undefined) return null;
  const last = others.pop();
  if (last === undefined) return `Mission Control: ${first}`;
  return `Mission Control: ${[first, ...others].join(', ')}${others.length > 0 ? ',' : ''} or ${last}`;
}

/** A word that a POSIX shell takes as it is: in single quotes, where it would read more than harmless punctuation in it. */
export function shellWord(word: string): string {
  return /^[\w./:@%+=,-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
