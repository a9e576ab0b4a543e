import { refused, type Outcome } from '../../../base/outcome';
import { mendHardLinks } from '../../../base/text/hardLinks';
import { mostSiblings } from '../../../contracts/vocabulary/confinement';
import { written, type HardLinks } from '../facts/facts';
import type { SandboxLine } from '../../../engine/ports/sandbox';

/** Refuses a launch that could change files outside, because more hard links lead out than can be made read-only. */
export function refusedHardLinks(
  { files, example: at }: Extract<HardLinks, { kind: 'too_many' }>,
  workspace: string,
): Outcome<SandboxLine> {
  const example = written(at, workspace);
  const reason = `${files} files that the launch may write are hard links to files outside, such as ${example}. A write to one changes the other file, too. A sandbox keeps at most ${mostSiblings} of them read-only. ${mendHardLinks(at)}`;
  return refused('HARD_LINKS_LEAD_OUT', reason, 'Make the files copies, as the sentence says, then retry.');
}

/** Describes a scan that ended before it had seen everything. */
export const tooManyToScan =
  'There are too many files to look through for hard links: not all that lead out are read-only.';
