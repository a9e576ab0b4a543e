import { evidenceFinding, type EvidenceFinding } from '../../contracts/vocabulary/codes/evidenceFindings';
import { auditLogOf } from '../audit/log';
import { verifyAudit } from '../audit/verify';
import type { AttemptEvidence } from '../../contracts/taskEvidence';
import type { EvidenceFacts, JournalFacts } from './facts';

type Seal = NonNullable<AttemptEvidence['seal']>;

/**
 * Compares the seals that the files name with those of the journal. Also compares the journal's
 * audit log with its own seals.
 */
export function checkSeals({ tasks }: EvidenceFacts, { entries }: JournalFacts): EvidenceFinding[] {
  const recorded = sealsOf(entries);
  const findings = [...tasks].flatMap(([taskId, { evidence }]) =>
    (evidence?.attempts ?? []).flatMap(({ attempt, seal }, index) => {
      if (sealKey(recorded.get(`${attempt}#${taskId}`)) === sealKey(seal)) return [];
      const message = `The file has another seal of the audit log of attempt ${attempt} than the journal.`;
      return [evidenceFinding('JOURNAL_DISAGREES', `TASK_${taskId}.json`, message, `/attempts/${index}/seal`)];
    }),
  );
  const log = auditLogOf(entries);
  const broken = log
    ? verifyAudit({ ...log.head, records: log.records }).filter(({ severity }) => severity === 'error')
    : [];
  return [
    ...findings,
    ...broken.map(({ record, message }) =>
      evidenceFinding('AUDIT_LOG_BROKEN', '', `The audit log of the journal does not hold. ${record}: ${message}`),
    ),
  ];
}

/** By attempt and task: made here, or come with a handoff. */
function sealsOf(entries: JournalFacts['entries']): ReadonlyMap<string, Seal> {
  const seals = new Map<string, Seal>();
  for (const { event } of entries) {
    if (event.type === 'HandoffImported')
      for (const { task_id, attempts } of event.rows)
        for (const { attempt, seal } of attempts) if (seal) seals.set(`${attempt}#${task_id}`, seal);
    if (event.type !== 'PhaseCompleted') continue;
    const key = `${event.attempt}#${event.task_id}`;
    const { seal, closing } = event;
    if (seal) seals.set(key, { records: seal.records_sha256.length, sha256: seal.sha256, closing_sha256: '' });
    const open = seals.get(key);
    if (closing && open) seals.set(key, { ...open, closing_sha256: closing.sha256 });
  }
  return seals;
}

function sealKey(seal: Seal | undefined): string {
  return seal ? JSON.stringify([seal.records, seal.sha256, seal.closing_sha256].map(String)).toUpperCase() : '';
}
