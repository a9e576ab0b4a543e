import { markup, markupOf, sentence, type Markup } from '../../base/text/marked/markup';
import type { UiText } from '../../base/text/marked/ui';
import type { ApprovalRow, ApprovalSection, ApprovalView } from '../../core/view/plan/approvalView';

/** Markup for the body of a page without scripts. Leaves nothing out and cuts nothing. */
export function approvalPage(
  { facts, before, tasks, after }: ApprovalView,
  asked: { readonly question: UiText; readonly note?: string },
): Markup {
  return markup.lines([
    markup`<main>`,
    markup`<header>`,
    markup`<h1>${markupOf(asked.question)}</h1>`,
    ...(asked.note === undefined ? [] : [markup`<p>${asked.note}</p>`]),
    markup`<p>Nothing is approved yet. The button below the plan approves it; closing this page leaves it.</p>`,
    markup`</header>`,
    ...before.map(section),
    markup`<dl class="facts">`,
    ...facts.map(row),
    markup`</dl>`,
    markup`<section><h2>${tasks.title}</h2>`,
    ...tasks.lines.map((line) => markup`<p>${line}</p>`),
    ...tasks.each.map(({ task_id, description, rows }) =>
      markup.lines([
        markup`<article><h3>${task_id}</h3>`,
        markup`<p>${description}</p>`,
        markup`<dl>`,
        ...rows.map(row),
        markup`</dl></article>`,
      ]),
    ),
    markup`</section>`,
    ...after.map(section),
    markup`<p class="end">That is everything.</p>`,
    markup`</main>`,
  ]);
}

function section({ title, lines }: ApprovalSection): Markup {
  return markup.lines([
    markup`<section><h2>${title}</h2><ul>`,
    ...lines.map(({ text, isLarge, next }) => {
      const more = next === undefined ? markup`` : markup`<p>What mends it. ${sentence(next)}</p>`;
      return isLarge ? markup`<li class="large"><b>${text}</b>${more}</li>` : markup`<li>${text}${more}</li>`;
    }),
    markup`</ul></section>`,
  ]);
}

function row({ label, as, values }: ApprovalRow): Markup {
  const drawn =
    as === 'lines' ? [markup`<pre>${markup.lines(values)}</pre>`] : values.map((value) => drawnAs[as](value));
  return markup.lines([markup`<dt>${label}</dt>`, ...drawn.map((value) => markup`<dd>${value}</dd>`)]);
}

const drawnAs = {
  text: (value: ApprovalRow['values'][number]) => markup`${value}`,
  code: (value: ApprovalRow['values'][number]) => markup`<code>${value}</code>`,
  command: (value: ApprovalRow['values'][number]) => markup`<pre>${value}</pre>`,
};
