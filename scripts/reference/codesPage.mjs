// docs/reference/codes.md: every code with its meaning and what to do next.
import { code, page, prose, table } from './markdown.mjs';

/** At most so many different next steps of a code's messages are shown as examples. */
const mostSteps = 2;

/** The page. `sections` are those of the page of all messages, so both have the same codes. */
export function codesPage(messages, sections) {
  const about =
    'Every refusal, finding and reason has a code. This page lists what each code means and what to do next. Where that depends on the case, it shows a step or a sentence as an example. `npm run messages` writes a page of every sentence.';
  return page(
    'Codes',
    about,
    sections
      .filter(({ codes }) => codes !== null)
      .flatMap(({ title, shownBy, of, codes, silent }) => {
        const shown = messages.filter(of);
        const rows = Object.entries(codes)
          .filter(([name]) => !silent.includes(name))
          .map(([name, { meaning, severity, next }]) => [
            code(name),
            severity === undefined ? prose(meaning ?? '') : `${severity}: ${sentence(shown, name)}`,
            next ? prose(next) : steps(shown, name),
          ]);
        return [`## ${title}`, '', prose(shownBy), '', ...table(['code', 'meaning', 'next'], rows), ''];
      }),
  );
}

/** Shows the first sentence of a code that has no meaning of its own. */
function sentence(messages, name) {
  return code(messages.find((message) => message.code === name)?.text ?? '');
}

/** The steps of a code's messages; the first ones, if the sentences say them already. */
function steps(messages, name) {
  const those = messages.filter((message) => message.code === name);
  const all = [...new Set(those.flatMap((message) => message.steps).map(withPlaceholders))];
  if (all.length === 0) return those.length === 0 ? '' : code(those[0].text);
  return all
    .slice(0, mostSteps)
    .map((step) => (/^[A-Z].*\.$/s.test(step) ? prose(step) : code(step)))
    .join('<br>');
}

/** Replaces example names of scripts/messageExamples.mjs by the placeholders of a call of `mission`. */
function withPlaceholders(step) {
  if (!step.startsWith('mission ')) return step;
  return step
    .replaceAll(/release-notes-\d+T\d+Z-\w+-collect-\d+/g, 'PACKET')
    .replaceAll(/release-notes-\d+T\d+Z-\w+/g, 'MISSION')
    .replaceAll(/docs\/plans\/PLAN_release-notes(-r\d+)?\.json/g, 'FILE')
    .replaceAll(/ collect\b/g, ' TASK');
}
