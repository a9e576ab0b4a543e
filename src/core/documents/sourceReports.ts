import { listAt, numberAt, objectAt, objectsAt, quoted, textAt, valueAt, type JsonObject } from '../../base/json';
import { isBlank } from '../../contracts/vocabulary/forms';
import { collectFindings, type AddFinding, type Finding } from './finding';

// What the source project of seed 000 accepted and should not have: success that its own fields contradict.

export function workerHandoffFindings(handoff: JsonObject): readonly Finding[] {
  const { report, list } = collectFindings();
  if (textAt(handoff, 'status') !== 'complete') return list;
  const commit = textAt(handoff, 'commit') ?? '';
  if (!/^[0-9a-fA-F]{7,64}$/.test(commit))
    contradicts(report, '/commit', `${quoted(commit)} is no commit; complete work names the id of its commit.`);
  const left = listAt(handoff, 'leftUndone')?.length ?? 0;
  if (left > 0)
    contradicts(report, '/leftUndone', 'Something is left undone, so the work is not complete; say blocked or failed.');
  const done = (listAt(handoff, 'implemented')?.length ?? 0) + (listAt(handoff, 'filesChanged')?.length ?? 0);
  if (done === 0)
    contradicts(report, '/implemented', 'Nothing was implemented and no file changed, so nothing is complete.');
  const procedure = objectAt(handoff, 'procedureCompliance');
  for (const name of Object.keys(procedure ?? {}))
    if (valueAt(procedure, name) === false)
      contradicts(report, `/procedureCompliance/${name}`, `${name} was not done, so the work is not complete.`);
  return list;
}

export function sourceReportFindings(document: JsonObject): readonly Finding[] {
  const { report, list } = collectFindings();
  const status = textAt(document, 'status');
  const assertions = objectsAt(document, 'assertions');
  const found = [...objectsAt(document, 'defects'), ...objectsAt(document, 'procedureFindings')];
  once(report, 'assertions', 'assertionId', document);
  once(report, 'defects', 'id', document);
  once(report, 'procedureFindings', 'id', document);
  for (const [assertion, index] of assertions)
    if (textAt(assertion, 'status') === 'pass' && isBlank(textAt(assertion, 'evidence') ?? ''))
      contradicts(report, `/assertions/${index}/evidence`, 'An assertion passes by its evidence, which is missing.');
  const open = assertions.find(([assertion]) => textAt(assertion, 'status') !== 'pass');
  if (status === 'pass') judgePass(document, open, report);
  if (status === 'fail' && !open && found.length === 0)
    contradicts(report, '/status', 'The report fails and names no failed assertion, no defect and no finding.');
  const recommendation = textAt(document, 'recommendation');
  if (recommendation !== null && (recommendation === 'accept') !== (status === 'pass'))
    contradicts(
      report,
      '/recommendation',
      `${quoted(recommendation)} does not follow from ${quoted(status ?? '')}: what passes is accepted, and nothing else.`,
    );
  return list;
}

function judgePass(document: JsonObject, open: readonly [JsonObject, number] | undefined, report: AddFinding): void {
  if (open)
    contradicts(report, `/assertions/${open[1]}/status`, 'An assertion does not pass, so the report does not either.');
  for (const [defect, index] of objectsAt(document, 'defects'))
    if (textAt(defect, 'severity') !== 'minor') {
      const message = `A ${textAt(defect, 'severity') ?? ''} defect is open, so the report does not pass.`;
      contradicts(report, `/defects/${index}/severity`, message);
    }
  const shown =
    objectsAt(document, 'assertions').length > 0 ||
    objectsAt(document, 'commandsRun').some(([command]) => numberAt(command, 'exitCode') === 0);
  if (!shown) {
    const message = 'The report passes and shows nothing: no assertion, and no command that ended with 0.';
    contradicts(report, '/status', message);
  }
}

function once(report: AddFinding, list: string, key: string, document: JsonObject): void {
  const seen = new Set<string>();
  for (const [entry, index] of objectsAt(document, list)) {
    const id = textAt(entry, key);
    if (id === null) continue;
    if (seen.has(id))
      report('SCHEMA_INVALID', `/${list}/${index}/${key}`, `${quoted(id)} is listed twice; list it once.`);
    seen.add(id);
  }
}

function contradicts(report: AddFinding, pointer: string, message: string): void {
  report('LEDGER_INCONSISTENT', pointer, message);
}
