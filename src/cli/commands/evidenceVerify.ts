import { evidenceReader } from '../../adapters/evidence/reader';
import { createEvidenceFiles } from '../../adapters/evidence/files';
import type { JournalFacts } from '../../core/verify/facts';
import { evidenceSentence } from '../../core/view/evidence/evidenceAnswer';
import { noJournals, type PlanJournals } from '../../engine/evidence/archive';
import { verifyEvidence } from '../../engine/evidence/verify';
import type { NodeViewer } from '../../adapters/nodeViewer';
import { MissionReader } from '../../engine/views/reader';
import { required, type Command, type Invocation } from '../shell/command';
import { exitCodes, type ExitCode } from '../shell/output';
import { looking } from '../owner/session';
import { printJudged } from '../show/findings';
import { terminal } from '../../base/text/marked/terminal';

export const evidenceVerify: Command = {
  takes: [required.planRan],
  summary: 'Check the evidence of an execution: files, hashes and, where there is one, the journal.',
  details: [
    'Without a journal of the mission the files are checked against each other (info JOURNAL_ABSENT).',
    'A journal without a seal of this user confirms nothing (info JOURNAL_FOREIGN).',
    'Archived executions of the plan are checked as well; their findings begin with archive/<mission_id>/.',
  ],
  options: { 'no-journal': { help: 'Leave the journal aside, as on another machine.' } },
  async run(call) {
    const { out } = call;
    const planId = executionNamed(call.positionals[0] ?? '');
    const verify = async (viewer: NodeViewer | null): Promise<ExitCode> => {
      const journals = viewer === null ? noJournals : await journalsOf(planId, viewer);
      const journal = await journalOf(call, planId, journals);
      const verdict = await verifyEvidence(evidenceReader(call.workspace, planId), journal, journals);
      for (const finding of verdict.findings)
        printJudged(finding, [finding.file, finding.pointer], [finding.message, finding.hint], out);
      out.document(verdict);
      if (verdict.findings.some(({ code }) => code === 'PLAN_ID_INVALID')) return exitCodes.refused;
      out.line(out.paint(verdict.valid ? 'green' : 'red', evidenceSentence(planId, verdict)));
      return verdict.valid ? exitCodes.ok : exitCodes.failed;
    };
    if (call.flag('no-journal')) return verify(null);
    const exit = await looking(call.workspace, verify);
    if (exit.ok) return exit.value;
    // A journal that this user may not read counts as absent; a broken one is reported.
    if (exit.refusal.code !== 'STATE_STORE_UNWRITABLE') return out.refuse(exit.refusal);
    out.note(terminal`The journal is left aside: ${exit.refusal.reason}`);
    return verify(null);
  },
};

/** Takes the folder of an execution or its plan file for its id, because a shell completes paths. */
function executionNamed(name: string): string {
  const [, folder, file] =
    /^(?:\.\/)?docs\/(?:ops\/executions\/([^/]+)\/?|plans\/PLAN_([^/]+)\.json)$/.exec(name.replaceAll('\\', '/')) ?? [];
  return folder ?? file ?? name;
}

/**
 * The journal of the mission that the evidence names. When the journal knows the plan only by other missions, an empty
 * one is returned, so that it disagrees; null when it does not know the plan.
 */
async function journalOf(call: Invocation, planId: string, journals: PlanJournals): Promise<JournalFacts | null> {
  const existing = await createEvidenceFiles({ workspaceRoot: call.workspace }).existing(planId);
  const named = existing.kind === 'present' ? existing.mission_id : null;
  if (named === null) return null;
  const found = await journals.of(named);
  if (found !== null) return found;
  return journals.executions.length > 0 ? { entries: [], chain: { valid: true, first_bad: null } } : null;
}

async function journalsOf(planId: string, viewer: NodeViewer): Promise<PlanJournals> {
  const { journal } = viewer;
  const { missions } = await new MissionReader(journal).read();
  const written = missions.filter(({ mission }) => mission.plan.plan_id === planId && mission.header_written);
  return {
    executions: written.map(({ mission }) => mission.mission_id),
    // Missions that this journal knows; others ended elsewhere, or before it began.
    of: async (missionId) => {
      const known = (await journal.streams()).find(({ stream }) => stream === missionId);
      if (!known) return null;
      const entries = await journal.read(missionId);
      return { entries, chain: await journal.verifyStream(missionId), foreign: !known.sealed };
    },
  };
}
