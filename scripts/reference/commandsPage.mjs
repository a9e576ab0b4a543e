// docs/reference/commands.md: every command of `mission` with its options, and every command of the palette.
import { code, page, prose, table } from './markdown.mjs';

/** An option that so many commands describe in the same words is described once. */
const oftenUsed = 5;
/** Characters of a paragraph; test/architecture/documents.test.ts refuses longer ones. */
const mostCharacters = 400;

/** The page, from the groups of the help, the options of each command and the commands of the extension. */
export function commandsPage({ commandGroups, callOf, optionsOf, paletteCommands }) {
  const specs = commandGroups.flatMap(({ commands }) => commands);
  const common = commonOptions(specs, optionsOf);
  return page(
    'Commands',
    'Every command of `mission`, as `mission --help` shows it, and every command of the palette.',
    [
      '`MISSION` is a mission id, or a plan id, which means its newest mission. `--json` prints exactly one document. Every refusal has [a code](codes.md) and [an exit code](exit-codes.md).',
      '',
      ...commandGroups.flatMap((group) => groupLines(group, common, { callOf, optionsOf })),
      '## Options of many commands',
      '',
      ...table(['option', 'meaning'], [...common.values()].map(optionRow)),
      '',
      '## In the palette',
      '',
      'All stand under *Mission Control*. The id is for key bindings. A command that needs a mission which takes it is left out where none does.',
      '',
      ...table(
        ['command', 'offered', 'id'],
        paletteCommands.map(({ id, title, when }) => [`*${title}*`, offered(when), code(id)]),
      ),
    ],
  );
}

function groupLines({ title, commands }, common, { callOf, optionsOf }) {
  return [
    `## ${title}`,
    '',
    ...table(
      ['command', 'what it does'],
      commands.map((spec) => [code(callOf(spec)), prose(spec.summary)]),
    ),
    '',
    ...commands.flatMap((spec) => commandLines(spec, common, optionsOf)),
  ];
}

/** Returns what the table leaves out: details and options. */
function commandLines(spec, common, optionsOf) {
  const { details = [] } = spec;
  const options = Object.entries(optionsOf(spec));
  const own = options.filter(([name, option]) => common.get(name)?.[1].help !== option.help);
  const shared = options.filter((option) => !own.includes(option)).map(([name]) => code(`--${name}`));
  return [
    `### mission ${spec.name}`,
    '',
    ...paragraphs(details.join(' ')).flatMap((paragraph) => [...paragraph, '']),
    ...(own.length === 0 ? [] : [...table(['option', 'meaning'], own.map(optionRow)), '']),
    `${own.length === 0 ? 'Options' : 'Also'}: ${shared.join(', ')}.`,
    '',
  ];
}

/** Splits sentences into short paragraphs; a sentence that lists much becomes a list. */
function paragraphs(text) {
  const made = [];
  for (const sentence of text.split(/(?<=[.?]) (?=[A-Z`])/).filter((one) => one !== '')) {
    const last = made.at(-1);
    if (sentence.length > mostCharacters) made.push(listOf(sentence));
    else if (last?.length === 1 && last[0].length + sentence.length < mostCharacters)
      made[made.length - 1] = [`${last[0]} ${prose(sentence)}`];
    else made.push([prose(sentence)]);
  }
  return made;
}

function listOf(sentence) {
  const [what, items = ''] = sentence.split(/: (.*)/s);
  return [
    `${prose(what)}:`,
    '',
    ...items
      .replace(/\.$/, '')
      .split(', ')
      .map((item) => `- ${code(item)}`),
  ];
}

function commonOptions(specs, optionsOf) {
  const uses = new Map();
  for (const spec of specs)
    for (const [name, option] of Object.entries(optionsOf(spec))) {
      const key = `${name} ${option.help}`;
      uses.set(key, [...(uses.get(key) ?? []), [name, option]]);
    }
  const often = [...uses.values()].filter((same) => same.length >= oftenUsed).map(([first]) => first);
  return new Map(often.map((entry) => [entry[0], entry]));
}

function optionRow([name, { value, multiple, help }]) {
  const shown = code(`--${name}${value === undefined ? '' : ` ${value}`}`);
  return [shown, `${prose(help)}${multiple ? ' May be repeated.' : ''}`];
}

function offered(when) {
  if (when === undefined) return 'always';
  if (when.startsWith('activeWebviewPanelId')) return 'while its page is in front';
  if (when === 'missionControl.startsHeld') return 'while everything is stopped';
  if (when === 'missionControl.hasComments') return 'while comments of a review are not sent';
  return when.startsWith('workspaceFolderCount') ? 'with an open folder' : 'when a mission takes it';
}
