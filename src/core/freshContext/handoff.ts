import type { Finding } from '../documents/finding';
import { objectsAt, quoted, textAt } from '../../base/json';
import { reconcile } from '../ledger/reconcile';
import { judgeDocument, verdictOf, type ShapedDocument, type Verdict } from '../documents/verdict';
import { judgeSecrets } from '../documents/secrets';

/** Judges whether a new process can continue from this bundle: complete, of a known version, consistent. */
export function validateHandoff(document: ShapedDocument): Verdict {
  return verdictOf(document.value, handoffFindings(document));
}

export function handoffFindings(document: ShapedDocument): readonly Finding[] {
  return judgeDocument(document, (bundle, report) => {
    reconcile(bundle, report);
    const rows = new Set(objectsAt(bundle, 'ledger').map(([row]) => textAt(row, 'task_id')));
    const targets = new Set<string>();
    for (const [target, index] of objectsAt(bundle, 'acceptance_targets')) {
      const task_id = textAt(target, 'task_id');
      if (task_id === null) continue;
      const pointer = `/acceptance_targets/${index}/task_id`;
      if (!rows.has(task_id))
        report('LEDGER_INCONSISTENT', pointer, `There is no row for task ${quoted(task_id)}, which this target names.`);
      if (targets.has(task_id))
        report('LEDGER_INCONSISTENT', pointer, `Task ${quoted(task_id)} has two acceptance targets; join them.`);
      targets.add(task_id);
    }
    for (const key of ['objective', 'constraints', 'open_blockers', 'acceptance_targets'])
      judgeSecrets(bundle[key], `/${key}`, report);
    for (const [row, index] of objectsAt(bundle, 'ledger')) {
      for (const key of ['title', 'acceptance_criteria', 'context_package'])
        judgeSecrets(row[key], `/ledger/${index}/${key}`, report);
    }
  });
}
