import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { readMessages } from '../../scripts/messages.mjs';
import { unplainWords } from '../../scripts/plain-words.mjs';
import { parseCall, UsageError, type CommandSpec } from '../../src/cli/shell/command';
import { commands } from './everyCommand';
import { createOutput } from '../../src/cli/shell/output';
import { checkedDocuments } from '../../src/engine/plans/documentCheck';
import { forbiddenInMessages, withoutValues } from '../support/messageShapes';

const messages = readMessages(process.cwd());

describe('every message of the sources (npm run messages)', () => {
  it('is a sentence for a person', () => {
    const wrong = messages.flatMap(({ text, kind, file, line }) => {
      const words = withoutValues(text);
      const shapes = Object.entries(forbiddenInMessages).flatMap(([name, pattern]) =>
        // The command line names its arguments as its help does.
        pattern.test(words) && !(kind === 'usage' && name === 'a placeholder') ? [name] : [],
      );
      const sentence = kind === 'doctor' || (/^["A-Za-z\d/.-].{8,}[.?)]$/s.test(text) && !/[^.]\.\.$/.test(text));
      return [...shapes, ...(sentence ? [] : ['no sentence'])].map((name) => `${file}:${line} ${name}: ${text}`);
    });
    assert.deepEqual(wrong, []);
    assert.ok(messages.length > 500, String(messages.length));
  });

  it('says what to do: a refusal names a step', () => {
    const silent = messages.filter(
      ({ kind, code, steps }) => kind === 'refusal' && code !== 'OK' && steps.length === 0,
    );
    assert.deepEqual(
      silent.map(({ file, line, text }) => `${file}:${line} ${text}`),
      [],
    );
  });

  it('says who acts, in the sentence and in its steps', () => {
    const hidden = new RegExp(`\\b(?:${Object.keys(unplainWords).join('|')})\\b`, 'i');
    const wrong = messages.flatMap(({ text, steps, file, line }) =>
      [text, ...steps]
        .map(withoutValues)
        .filter((sentence) => hidden.test(sentence))
        .map((sentence) => `${file}:${line} ${sentence}`),
    );
    assert.deepEqual(wrong, []);
  });

  it('is shown with the kinds of documents by name, and only with steps that it can have', () => {
    const kinds = messages.filter(({ text }) => /this one checks|KIND is one of/.test(text));
    assert.deepEqual(
      kinds.filter(({ text }) => !Object.keys(checkedDocuments).every((kind) => text.includes(kind))),
      [],
    );
    assert.equal(kinds.length, 2);
    const paused = messages.filter(({ code }) => code === 'ALREADY_PAUSED');
    assert.equal(paused.length, 1);
    assert.match(paused[0]?.steps.join() ?? '', /^mission resume /);
  });

  it('names only steps that can be followed: commands that the command line takes, titles that VS Code has, sentences', () => {
    const manifest = JSON.parse(readFileSync('package.json', 'utf8')) as {
      readonly contributes: { readonly commands: readonly { readonly title: string; readonly category?: string }[] };
    };
    const titles = manifest.contributes.commands.map(({ title, category }) => `${category ?? ''}: ${title}`);
    titles.push('Workspaces: Manage Workspace Trust');
    const wrong = messages.flatMap(({ steps, file, line }) =>
      steps.flatMap((step) => problemsOf(step, titles).map((problem) => `${file}:${line} ${step}: ${problem}`)),
    );
    assert.deepEqual(wrong, []);
  });
});

function problemsOf(step: string, titles: readonly string[]): readonly string[] {
  const typed = [...step.matchAll(/(?:^|: )mission (.+)$/g)].map(([, words = '']) => words.split(' '));
  const named = [...step.matchAll(/`mission ([^`]+)`/g)].map(([, words = '']) => words.split(' '));
  const problems = [
    ...typed.flatMap(problemOfCall),
    ...named.flatMap((words) => (commandOf(words) === undefined ? [`no command ${words.join(' ')}`] : [])),
  ];
  if (/\b(?:FILE|DIR|PLAN|MISSION|TASK|ID)\b(?!_|\.)/.test(step.replaceAll(/\/[^ ]*/g, '')))
    problems.push('a placeholder');
  const isSentence = /^[A-Z].*\.$/s.test(step);
  const isCommand = /^(?:Or: )?(?:mission|git|chmod) /.test(step) || (typed.length > 0 && step.includes(': mission '));
  if (!isSentence && !isCommand && !titles.includes(step)) problems.push('neither a sentence nor a command');
  return problems;
}

function commandOf(words: readonly string[]): CommandSpec | undefined {
  return [2, 1].map((count) => commands.find(({ name }) => name === words.slice(0, count).join(' '))).find(Boolean);
}

/** Why the command line would not take it; quoted words stand for themselves. */
function problemOfCall(words: readonly string[]): string[] {
  // A person writes these in place of the blanks.
  const person: Readonly<Record<string, string>> = { NAME: 'Ada', TEXT: 'mended' };
  const argv = words.map((word) => word.replaceAll('"', '')).map((word) => person[word] ?? word);
  const spec = commandOf(argv);
  if (argv[0] === '--help') return [];
  // The help of a word that begins commands.
  if (argv.length === 2 && argv[1] === '--help' && commands.some(({ name }) => name.startsWith(`${argv[0]} `)))
    return [];
  if (spec === undefined) return [`no command ${argv.join(' ')}`];
  try {
    parseCall(spec, argv.slice(spec.name.split(' ').length), createOutput(false, process, {}), {
      directory: '.',
      environment: {},
    });
    return [];
  } catch (error) {
    if (error instanceof UsageError) return [error.message];
    throw error;
  }
}
