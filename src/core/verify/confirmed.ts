import { evidenceNames, unconfirmedHint } from '../../contracts/vocabulary/files/evidenceFiles';
import { sameDigest, type EvidenceFinding } from '../../contracts/vocabulary/codes/evidenceFindings';
import type { MissionEvent } from '../model/events';
import type { EvidenceFacts, JournalFacts } from './facts';

/**
 * Returns whether a whole journal records this digest. A digest in files alone proves no content, because a program
 * that changes evidence can renew it.
 */
export function confirms(journal: JournalFacts | null, digest: string): boolean {
  return digestsIn(journal).has(digest.toUpperCase());
}

/** Returns whether the journal records the header as it is, or as our writers make it of the same content. */
export function confirmsHeader({ header_sha256, hintFor }: EvidenceFacts, journal: JournalFacts | null): boolean {
  const events = wholeOf(journal).map(({ event }) => event);
  const recorded = events.findLast((event) => event.type === 'MissionReported')?.header_sha256;
  if (recorded === undefined) return false;
  return sameDigest(recorded, header_sha256) || hintFor(evidenceNames.header, recorded) !== null;
}

/** The facts, with hints that say no more than the journal proves. */
export function withProvenHints(facts: EvidenceFacts, journal: JournalFacts | null): EvidenceFacts {
  const recorded = digestsIn(journal);
  // The content of the plan explains its bytes as well.
  const content = facts.header.plan_canonical_sha256 ?? null;
  return {
    ...facts,
    hintFor: (file, digest) => {
      const hint = facts.hintFor(file, digest);
      const needed = [digest, ...(file === evidenceNames.lockedPlan && content !== null ? [content] : [])];
      return hint === null || needed.every((one) => recorded.has(one.toUpperCase())) ? hint : unconfirmedHint(hint);
    },
  };
}

/** The finding, whose hint says no more than is proven. */
export function asProven(finding: EvidenceFinding, isConfirmed: boolean): EvidenceFinding {
  return isConfirmed || finding.hint === undefined ? finding : { ...finding, hint: unconfirmedHint(finding.hint) };
}

/** The entries of a journal whose chain holds, and which is this user's. */
function wholeOf(journal: JournalFacts | null): JournalFacts['entries'] {
  return journal?.chain.valid === true && journal.foreign !== true ? journal.entries : [];
}

/** In upper case. */
function digestsIn(journal: JournalFacts | null): ReadonlySet<string> {
  const digests = wholeOf(journal)
    .flatMap(({ event }) => digestsOf(event))
    .filter((digest) => digest !== '');
  return new Set(digests.map((digest) => digest.toUpperCase()));
}

function digestsOf(event: MissionEvent): readonly string[] {
  if (event.type === 'MissionReceived') return [event.plan_sha256, event.plan_canonical_sha256];
  if (event.type === 'TaskEvidenceWritten') return [event.sha256, event.milestone_sha256 ?? ''];
  return event.type === 'MissionReported' ? [event.header_sha256, event.summary_sha256] : [];
}
