import { markup, sentence, type Markup } from '../../base/text/markup';
import type { DoctorCheck } from '../../engine/ports/doctor';
import { commands } from '../registry/registry';
import { commandButton } from './document';
import { doctorRemedies, type DoctorRemedy } from './doctorRemedies';

export interface DoctorSection {
  readonly title: string;
  readonly checks: readonly DoctorCheck[];
}

/** The page, and what its buttons stand for: the argument of a button is the place in `remedies`. */
export interface DoctorPage {
  readonly body: Markup;
  readonly remedies: readonly DoctorRemedy[];
}

/** The checks of `mission doctor` for each folder of the window, with what helps beside what lacks. */
export function doctorPage(toolVersion: string, sections: readonly DoctorSection[], trusted: boolean): DoctorPage {
  const remedies: DoctorRemedy[] = [];
  const item = (check: DoctorCheck): readonly Markup[] => {
    const first = remedies.length;
    remedies.push(...doctorRemedies(check, trusted));
    return checkItem(check, remedies.slice(first), first);
  };
  const broken = sections.flatMap(({ checks }) => checks).filter(({ ok, required }) => required && !ok);
  const verdict =
    broken.length === 0
      ? markup`<p class="good">Everything that is required is in order.</p>`
      : markup`<p class="bad">Something that is required is not in order: ${broken.map(({ id }) => id).join(', ')}.</p>`;
  const body = markup.lines([
    markup`<main>`,
    markup`<h1>Doctor</h1>`,
    verdict,
    markup`<p class="dim">Mission Control ${toolVersion}</p>`,
    ...sections.flatMap(({ title, checks }) => [
      markup`<section><h2>${title}</h2><ul class="checks">`,
      ...checks.flatMap(item),
      markup`</ul></section>`,
    ]),
    markup`</main>`,
  ]);
  return { body, remedies };
}

function checkItem(check: DoctorCheck, remedies: readonly DoctorRemedy[], first: number): readonly Markup[] {
  const { id, ok, required, detail, fix } = check;
  const [look, mark] = ok ? ['good', 'ok'] : required ? ['bad', 'FAIL'] : ['warn', 'not there'];
  const buttons = remedies.map(({ title }, index) =>
    commandButton(title, { command: commands.doctorRemedy.id, argument: String(first + index), look: 'other' }),
  );
  return [
    markup`<li><span class="${look}">${mark}</span> <code>${id}</code> <span>${detail}</span>`,
    ...(ok || fix === '' ? [] : [markup`<span class="fix">${sentence(fix)}</span>`]),
    ...(buttons.length === 0 ? [] : [markup`<span class="buttons">${markup.join(buttons, ' ')}</span>`]),
    markup`</li>`,
  ];
}
