// docs/reference/codes.md: every code with its meaning and what to do next.
import { code, page, prose, table } from './markdown.mjs';

/** The page. `sections` are those of the page of all messages; a section shows each of its codes that a message has. */
export function codesPage(messages, sections) {
  const about =
    'Every refusal, finding and reason has a code. This page lists what each code means and what to do next. The message itself names the place, the value and the exact command. `npm run messages` writes a page of every message.';
  return page(
    'Codes',
    about,
    sections
      .filter(({ codes }) => codes !== null)
      .flatMap(({ title, shownBy, of, codes }) => {
        const shown = new Set(messages.filter(of).map((message) => message.code));
        const rows = Object.entries(codes)
          .filter(([name]) => shown.has(name))
          .map(([name, words]) => row(title, name, words));
        return [`## ${title}`, '', prose(shownBy), '', ...table(['code', 'meaning', 'next'], rows), ''];
      }),
  );
}

/** One row. Throws where a code has no meaning or no next step. */
function row(title, name, { severity, meaning, next }) {
  if (!meaning) throw new Error(`${title}: ${name} has no meaning`);
  if (!next) throw new Error(`${title}: ${name} has no next step`);
  return [code(name), severity === undefined ? prose(meaning) : `${severity}: ${prose(meaning)}`, prose(next)];
}
