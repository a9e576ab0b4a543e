import { ui, type UiText } from '../../base/text/ui';
import type { DoctorCheck } from '../../engine/ports/doctor';

export interface DoctorSection {
  readonly title: string;
  readonly checks: readonly DoctorCheck[];
}

/** The doctor's page as plain text: the checks of `mission doctor`, for each folder of the window. */
export function doctorPage(toolVersion: string, sections: readonly DoctorSection[]): UiText {
  const checks = sections.flatMap((section) => section.checks);
  return ui.lines([
    ui`Mission Control: Doctor`,
    '',
    ui`Mission Control ${toolVersion}.`,
    '',
    ...sections.flatMap((section) => [ui`${section.title}`, '', ...section.checks.flatMap(lines), '']),
    checks.every(({ ok, required }) => ok || !required)
      ? 'Everything that is required is in order.'
      : ui`Something that is required is not in order.`,
    '',
  ]);
}

function lines({ id, ok, required, detail, fix, repair }: DoctorCheck): readonly UiText[] {
  const mark = ok ? ui`ok` : required ? ui`FAIL` : ui`not there`;
  return [
    ui`- ${mark} ${id}: ${detail}`,
    ...(ok || fix === '' ? [] : [ui`  - fix: ${fix}`]),
    ...(ok || !repair ? [] : [ui`  - or: press “Repair…” in the notification, or run mission doctor --repair`]),
  ];
}
