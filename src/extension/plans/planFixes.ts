import {
  CodeAction,
  CodeActionKind,
  languages,
  Range,
  WorkspaceEdit,
  workspace,
  type CodeActionContext,
  type CodeActionProvider,
  type Diagnostic,
  type TextDocument,
} from 'vscode';
import { fixJson } from '../../adapters/documents/fixes';
import { parseJsonText } from '../../adapters/documents/json';
import { ui } from '../../base/text/marked/ui';
import { projectFile } from '../../contracts/vocabulary/aiProject';
import type { WorkerName } from '../../contracts/vocabulary/workers';
import type { Finding } from '../../core/documents/finding';
import type { FixCommand, PlanFix } from '../../core/plan/fixes/planFix';
import type { JudgeOptions } from '../../core/plan/judgePlan';
import { offeredFixes } from '../../engine/plans/offeredFixes';
import type { Clock } from '../../engine/ports/time';
import { commands, planGlob } from '../registry/registry';
import type { Contribution } from '../registry/contribution';
import { type PlanFindings, diagnosticOf } from './diagnostics';

interface FixParts {
  readonly planFindings: Pick<PlanFindings, 'ofText'>;
  readonly defaultWorker: () => WorkerName;
  readonly clock: Pick<Clock, 'now'>;
}

/** Characters; a larger plan gets no quick fixes, because each is judged before it is offered. */
const readUpTo = 1 << 20;

export class PlanFixes implements Contribution, CodeActionProvider {
  readonly #registration = languages.registerCodeActionsProvider({ scheme: 'file', pattern: `**/${planGlob}` }, this, {
    providedCodeActionKinds: [CodeActionKind.QuickFix],
  });

  constructor(private readonly parts: FixParts) {}

  provideCodeActions(document: TextDocument, _range: Range, { diagnostics }: CodeActionContext): CodeAction[] {
    const text = document.getText();
    // A text that has changed since gets its fixes once it is judged again.
    const findings = this.parts.planFindings.ofText(document) ?? [];
    if (text.length > readUpTo || findings.length === 0) return [];
    const plan = parseJsonText(new TextEncoder().encode(text)).value;
    const asked = new Map<Finding, Diagnostic>();
    for (const diagnostic of diagnostics) {
      const finding = findings.find((one) => isOf(diagnostic, one));
      if (finding) asked.set(finding, diagnostic);
    }
    return offeredFixes(plan, [...asked.keys()], this.#options(document)).flatMap(({ finding, edits, command }) => {
      const actions = edits.map((fix) => edited(document, text, fix));
      const all = command === null ? actions : [...actions, called(document, command)];
      const diagnostic = asked.get(finding);
      for (const [index, action] of all.entries()) {
        if (diagnostic) action.diagnostics = [diagnostic];
        action.isPreferred = index === 0 && all.length === 1;
      }
      return all;
    });
  }

  dispose(): void {
    this.#registration.dispose();
  }

  #options({ uri }: TextDocument): JudgeOptions {
    const { clock, defaultWorker } = this.parts;
    const folder = workspace.getWorkspaceFolder(uri);
    return {
      now: clock.now(),
      defaultWorker: defaultWorker(),
      path: posix(uri.fsPath),
      workspaceDir: folder ? posix(folder.uri.fsPath) : null,
    };
  }
}

function isOf(diagnostic: Diagnostic, finding: Finding): boolean {
  if (diagnostic.code !== finding.code) return false;
  const shown = diagnosticOf(finding);
  return shown.message === diagnostic.message && shown.range.isEqual(diagnostic.range);
}

const commandTitles: Readonly<Record<FixCommand, string>> = {
  approvePlan: 'Review and approve this plan',
  newProjectContext: `Create ${projectFile}`,
  openProjectContext: `Open ${projectFile}`,
};

function called({ uri }: TextDocument, name: FixCommand): CodeAction {
  const title = commandTitles[name];
  const fix = new CodeAction(title, CodeActionKind.QuickFix);
  fix.command = { title, command: commands[name].id, arguments: [uri] };
  return fix;
}

function edited(document: TextDocument, text: string, { title, edits }: PlanFix): CodeAction {
  const fix = new CodeAction(ui`${title}`.toString(), CodeActionKind.QuickFix);
  const [range, inserted] = difference(document, text, fixJson(text, edits));
  fix.edit = new WorkspaceEdit();
  fix.edit.replace(document.uri, range, inserted);
  return fix;
}

function posix(path: string): string {
  return path.replaceAll('\\', '/');
}

/** Returns the difference of two texts, so that a person's cursor and folds stay where they are. */
function difference(document: TextDocument, before: string, after: string): readonly [Range, string] {
  let start = 0;
  while (start < before.length && before[start] === after[start]) start += 1;
  let end = 0;
  while (end < before.length - start && end < after.length - start && before.at(-1 - end) === after.at(-1 - end))
    end += 1;
  const range = new Range(document.positionAt(start), document.positionAt(before.length - end));
  return [range, after.slice(start, after.length - end)];
}
