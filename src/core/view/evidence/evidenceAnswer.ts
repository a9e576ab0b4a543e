import { evidenceNames } from '../../../contracts/vocabulary/files/evidenceFiles';
import type { EvidenceVerdict } from '../../../contracts/page/panelView';
import { cut } from '../../../base/text/plainLine';

export interface EvidenceAnswer {
  readonly holds: boolean;
  /** What was found, and what was checked for it. */
  readonly text: string;
  readonly lines: readonly string[];
}

/** The answer in one sentence. What could not be read, or never was, is not said to be wrong. */
export function evidenceSentence(planId: string, { valid, findings }: VerifiedEvidence): string {
  if (valid) return `The evidence of ${planId} holds.`;
  const first = findings.find(({ severity }) => severity === 'error');
  if (first?.code === 'EVIDENCE_NONE') return `There is no evidence of ${planId} to verify.`;
  if (isUnread(first)) return `The evidence of ${planId} could not be read, so nothing was verified.`;
  return isUnfinished(findings)
    ? `The evidence of ${planId} is not complete, so its end was not verified.`
    : `The evidence of ${planId} does not hold.`;
}

/** @param files names in the folder of the evidence */
export function evidenceAnswer(
  planId: string,
  files: readonly string[],
  { valid, findings }: VerifiedEvidence,
): EvidenceAnswer {
  const errors = findings.filter(({ severity }) => severity === 'error');
  const [first] = errors;
  const rest = findings.length - (valid ? 0 : 1);
  const more = rest === 0 ? '' : ` ${rest}${valid ? '' : ' more'} ${rest === 1 ? 'finding' : 'findings'}.`;
  const why = first
    ? ` ${first.code}${first.file === '' ? '' : ` ${first.file}`}: ${first.message}${harmless(first)}`
    : '';
  const isSaid = (wanted: string): boolean => findings.some(({ code }) => code === wanted);
  const journal = isSaid('JOURNAL_FOREIGN')
    ? 'The journal here has no seal of this user, so it confirms nothing.'
    : isSaid('JOURNAL_ABSENT')
      ? 'No journal here knows this mission, so the files were compared with each other alone.'
      : 'The journal of this machine says the same.';
  return {
    holds: valid,
    text: `${evidenceSentence(planId, { valid, findings })}${why}${more} Checked: ${partsOf(files)}.${valid ? ` ${journal}` : ''}`,
    lines: findings.flatMap(({ severity, code, file, message, hint, next }) => [
      `${severity} ${code}${file === '' ? '' : ` ${file}`}`,
      `    ${message}`,
      ...(hint === undefined ? [] : [`    ${hint}`]),
      ...(next === undefined || severity === 'info' ? [] : [`    Next: ${next}`]),
    ]),
  };
}

function harmless({ hint }: VerifiedEvidence['findings'][number]): string {
  return hint === undefined ? '' : ` ${/^.*?\.(?= |$)/s.exec(hint)?.[0] ?? hint}`;
}

const single: readonly (readonly [file: string, part: string])[] = [
  [evidenceNames.header, 'the header'],
  [evidenceNames.lockedPlan, 'the locked plan'],
  [evidenceNames.summary, 'the summary'],
];

const several = [
  [/^TASK_.*\.json$/, 'task', 'tasks'],
  [/^MILESTONE_.*\.json$/, 'milestone', 'milestones'],
] as const;

function partsOf(files: readonly string[]): string {
  const parts = [
    ...single.filter(([file]) => files.includes(file)).map(([, part]) => part),
    ...several.flatMap(([pattern, one, many]) => {
      const count = files.filter((file) => pattern.test(file)).length;
      return count === 0 ? [] : [`${count} ${count === 1 ? one : many}`];
    }),
    ...(files.includes(evidenceNames.archive) ? ['the archive'] : []),
  ];
  return parts.length === 0 ? 'nothing, because no file is there' : parts.join(', ');
}

/** What `mission evidence verify` found. */
export interface VerifiedEvidence {
  readonly valid: boolean;
  readonly findings: readonly {
    readonly code: string;
    readonly severity: string;
    /** Below the folder of the evidence; archived executions begin with `archive/<mission_id>/`. */
    readonly file: string;
    readonly message: string;
    /** A harmless cause of the finding. */
    readonly hint?: string;
    readonly next?: string;
  }[];
}

/** @param archivedId the mission whose evidence lies in the archive; null: that of the last execution */
export function evidenceVerdict(
  { valid, findings }: VerifiedEvidence,
  dir: string,
  archivedId: string | null,
): EvidenceVerdict {
  const own = archivedId === null ? '' : `archive/${archivedId}/`;
  const about = archivedId === null ? findings : findings.filter(({ file }) => file.startsWith(own));
  const wrong = about.filter(({ severity }) => severity !== 'info');
  const lines = wrong.slice(0, shown).map(({ code, file, message, hint }) => {
    const why = hint === undefined ? '' : ` ${hint}`;
    return cut(`${code}${file === '' ? '' : ` ${file}`}: ${message}${why}`, 300);
  });
  const place = archivedId === null ? dir : `${dir}/archive/${archivedId}`;
  const errors = wrong.filter(({ severity }) => severity === 'error').length;
  if (archivedId === null ? !valid : errors > 0)
    return {
      standing: 'bad',
      text: isUnread(wrong[0])
        ? 'Evidence could not be read'
        : isUnfinished(wrong)
          ? 'Evidence is not complete'
          : `Evidence does not hold: ${countOf(errors)}`,
      dir: place,
      findings: lines,
    };
  const isSaid = (wanted: string): boolean => findings.some(({ code }) => code === wanted);
  const foreign = isSaid('JOURNAL_FOREIGN');
  const alone = foreign || isSaid('JOURNAL_ABSENT');
  const text = foreign
    ? 'Evidence verified; its journal has no seal of this user'
    : alone
      ? 'Evidence verified; no journal here knows of it'
      : 'Evidence verified against its journal';
  const standing = alone || wrong.length > 0 ? 'plain' : 'good';
  return { standing, text: wrong.length > 0 ? `${text}, ${countOf(wrong.length)}` : text, dir: place, findings: lines };
}

function isUnread(finding: VerifiedEvidence['findings'][number] | undefined): boolean {
  return finding?.code === 'EVIDENCE_UNREADABLE' && finding.file === '';
}

function isUnfinished(findings: VerifiedEvidence['findings']): boolean {
  return findings.every(({ severity, code }) => severity !== 'error' || code === 'EVIDENCE_UNFINISHED');
}

export function unverified(text: string, dir: string): EvidenceVerdict {
  return { standing: 'unknown', text, dir, findings: [] };
}

const shown = 20;

function countOf(count: number): string {
  return `${count} finding${count === 1 ? '' : 's'}`;
}
