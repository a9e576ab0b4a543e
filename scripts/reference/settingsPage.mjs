// docs/reference/settings.md: every setting of the extension, in the sections of VS Code's settings editor.
import { code, page, table } from './markdown.mjs';

/** The page. An option that `mission run` does not take is an error, so that the column stays true. */
export function settingsPage({ settingGroups, settings, runOptions }) {
  const row = (name) => {
    const { id, default: unset, markdownDescription, values = {}, option } = settings[name];
    if (option !== undefined && !Object.hasOwn(runOptions, option))
      throw new Error(`${id}: mission run has no option --${option}`);
    const meanings = Object.entries(values).map(([value, meaning]) => `${code(value)}: ${meaning}`);
    const words = [markdownDescription.replaceAll('#`', '`').replaceAll('`#', '`'), ...meanings].join('<br>');
    return [code(id), shownDefault(unset), words, option === undefined ? '' : code(`--${option}`)];
  };
  return page(
    'Settings',
    'Every setting of the extension, in the order of the settings editor. A repository can set none of them. The option of `mission run` in the last column says the same.',
    settingGroups.flatMap(({ title, settings: names }) => [
      `## ${title}`,
      '',
      ...table(['setting', 'default', 'meaning', 'option'], names.map(row)),
      '',
    ]),
  );
}

function shownDefault(value) {
  if (value === '' || (Array.isArray(value) && value.length === 0)) return 'empty';
  return typeof value === 'boolean' ? (value ? 'on' : 'off') : code(String(value));
}
