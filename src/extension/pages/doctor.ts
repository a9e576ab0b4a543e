import { ui, type UiText, type UiValue } from '../../base/text/ui';
import type { DoctorCheck } from '../../engine/ports/doctor';

export interface DoctorSection {
  readonly title: string;
  readonly checks: readonly DoctorCheck[];
}

/** The page, and the line (from 0) at which each check stands. */
export interface DoctorPage {
  readonly text: UiText;
  readonly places: readonly { readonly line: number; readonly check: DoctorCheck }[];
}

/** The doctor's page as plain text: the checks of `mission doctor`, for each folder of the window. */
export function doctorPage(toolVersion: string, sections: readonly DoctorSection[]): DoctorPage {
  const checks = sections.flatMap((section) => section.checks);
  const shown: UiValue[] = [ui`Mission Control: Doctor`, '', ui`Mission Control ${toolVersion}.`, ''];
  const places: { line: number; check: DoctorCheck }[] = [];
  for (const section of sections) {
    shown.push(ui`${section.title}`, '');
    for (const check of section.checks) {
      places.push({ line: shown.length, check });
      shown.push(...lines(check));
    }
    shown.push('');
  }
  const inOrder = checks.every(({ ok, required }) => ok || !required);
  const verdict = inOrder
    ? 'Everything that is required is in order.'
    : ui`Something that is required is not in order.`;
  return { text: ui.lines([...shown, verdict, '']), places };
}

function lines({ id, ok, required, detail, fix, repair }: DoctorCheck): readonly UiText[] {
  const mark = ok ? ui`ok` : required ? ui`FAIL` : ui`not there`;
  return [
    ui`- ${mark} ${id}: ${detail}`,
    ...(ok || fix === '' ? [] : [ui`  - fix: ${fix}`]),
    ...(ok || !repair ? [] : [ui`  - or: press “Repair…”, or run mission doctor --repair`]),
  ];
}
