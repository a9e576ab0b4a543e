import { code, inMarkdown, type MarkdownText } from '../../base/text/markdown';
import type { DoctorCheck } from '../../engine/ports/doctor';

export interface DoctorSection {
  readonly title: string;
  readonly checks: readonly DoctorCheck[];
}

/** The page of the doctor: what `mission doctor` says, for each folder of the window. */
export function doctorPage(toolVersion: string, sections: readonly DoctorSection[]): MarkdownText {
  const checks = sections.flatMap((section) => section.checks);
  return inMarkdown.lines([
    inMarkdown`# Mission Control: Doctor`,
    '',
    inMarkdown`Mission Control ${toolVersion}.`,
    '',
    ...sections.flatMap((section) => [inMarkdown`## ${section.title}`, '', ...section.checks.flatMap(lines), '']),
    checks.every(({ ok, required }) => ok || !required)
      ? 'Everything that is required is in order.'
      : inMarkdown`**Something that is required is not in order.**`,
    '',
  ]);
}

function lines({ id, ok, required, detail, fix, repair }: DoctorCheck): readonly MarkdownText[] {
  const mark = ok ? inMarkdown`ok` : required ? inMarkdown`**FAIL**` : inMarkdown`not there`;
  return [
    inMarkdown`- ${mark} ${id}: ${detail}`,
    ...(ok || fix === '' ? [] : [inMarkdown`  - fix: ${fix}`]),
    ...(ok || !repair
      ? []
      : [inMarkdown`  - or: press *Repair…* in the notification, or run ${code('mission doctor --repair')}`]),
  ];
}
