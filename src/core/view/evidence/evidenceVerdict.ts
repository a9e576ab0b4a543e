import type { EvidenceVerdict } from '../../../contracts/page/panelView';
import { cut } from '../../../base/text/cut';

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
    /** What a person can do. */
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
      text: isUnread(wrong[0]) ? 'Evidence could not be read' : `Evidence does not hold: ${countOf(errors)}`,
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

/** Returns whether a finding says that the folder may not be read, so that nothing of it is known. */
export function isUnread(finding: VerifiedEvidence['findings'][number] | undefined): boolean {
  return finding?.code === 'EVIDENCE_UNREADABLE' && finding.file === '';
}

export function unverified(text: string, dir: string): EvidenceVerdict {
  return { standing: 'unknown', text, dir, findings: [] };
}

const shown = 20;

function countOf(count: number): string {
  return `${count} finding${count === 1 ? '' : 's'}`;
}
