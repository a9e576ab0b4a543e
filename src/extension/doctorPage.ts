import type { DoctorCheck } from '../engine/ports/doctorPorts';

export interface DoctorSection {
  readonly title: string;
  readonly checks: readonly DoctorCheck[];
}

/** The page of the doctor: what `mission doctor` says, for each folder of the window. */
export function doctorPage(toolVersion: string, sections: readonly DoctorSection[]): string {
  const checks = sections.flatMap((section) => section.checks);
  return [
    '# Mission Control: Doctor',
    '',
    `Mission Control ${toolVersion}.`,
    '',
    ...sections.flatMap((section) => [`## ${section.title}`, '', ...section.checks.flatMap(lines), '']),
    checks.every(({ ok, required }) => ok || !required)
      ? 'Everything that is required is in order.'
      : '**Something that is required is not in order.**',
    '',
  ].join('\n');
}

function lines({ id, ok, required, detail, fix, repair }: DoctorCheck): readonly string[] {
  const mark = ok ? 'ok' : required ? '**FAIL**' : 'not there';
  return [
    `- ${mark} ${id}: ${detail}`,
    ...(ok || fix === '' ? [] : [`  - fix: ${fix}`]),
    ...(ok || !repair ? [] : ['  - or: `mission doctor --repair`']),
  ];
}
