import type { SubagentResult } from '../../contracts/result';
import type { IntegrationRefusal } from '../documents/claim';
import { collectFindings } from '../documents/addFinding';
import { errorLines } from '../documents/finding';
import { validateResult, type ResultContext } from './result';
import { verdictOf } from '../documents/verdict';

/** Judges a result before its integration; null: it may be. The placeholder of a redacted secret counts as one. */
export function judgeIntegration(result: SubagentResult, context: ResultContext): IntegrationRefusal | null {
  const redacted = redactedPlaces(result, context.worklog);
  const verdict = redacted ?? validateResult({ value: result, shape: [] }, context);
  if (verdict.allow || verdict.code === 'OK') return null;
  return { code: verdict.code, reason: verdict.reason, findings: errorLines(verdict.details.findings) };
}

function redactedPlaces(result: SubagentResult, worklog: string | undefined): ReturnType<typeof verdictOf> | null {
  const { report, list } = collectFindings();
  const look = (text: string | null | undefined, pointer: string): void => {
    for (const [, kind = ''] of (text ?? '').matchAll(/\[redacted:([a-z_]{1,40})\]/g))
      report('UNTRUSTED_CONTEXT_BLOCK', pointer, `This text held a secret (${kind}), which was replaced on the way.`);
  };
  result.notes_for_orchestrator.forEach((note, index) => look(note, `/notes_for_orchestrator/${index}`));
  result.changes.forEach(({ evidence }, index) => look(evidence, `/changes/${index}/evidence`));
  result.acceptance_check.forEach(({ evidence }, index) => look(evidence, `/acceptance_check/${index}/evidence`));
  look(worklog, '/worklog_path');
  return list.length === 0 ? null : verdictOf(result, list);
}
