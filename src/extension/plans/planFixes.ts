import {
  CodeAction,
  CodeActionKind,
  languages,
  Range,
  WorkspaceEdit,
  type CodeActionContext,
  type CodeActionProvider,
  type Diagnostic,
  type TextDocument,
} from 'vscode';
import { editJson, pathAt } from '../../adapters/documents/edits';
import { parseJsonText } from '../../adapters/documents/json';
import { projectFile } from '../../contracts/vocabulary/aiProject';
import type { FindingCode } from '../../contracts/vocabulary/findings';
import { intentChoices } from '../../engine/plans/intentChoices';
import { commands, planGlob } from '../registry/registry';
import type { Contribution } from '../registry/contribution';

/** Quick fixes for findings of a plan that one step mends. */
export class PlanFixes implements Contribution, CodeActionProvider {
  readonly #registration = languages.registerCodeActionsProvider({ scheme: 'file', pattern: `**/${planGlob}` }, this, {
    providedCodeActionKinds: [CodeActionKind.QuickFix],
  });

  provideCodeActions(document: TextDocument, _range: Range, { diagnostics }: CodeActionContext): CodeAction[] {
    return diagnostics.flatMap((diagnostic) => {
      switch (diagnostic.code as FindingCode | undefined) {
        case 'INTENT_AMBIGUOUS':
          return intentFixes(document, diagnostic);
        case 'PROJECT_FILE_MISSING':
          return [commandFix(`Create ${projectFile}`, diagnostic, commands.newProjectContext.id, document)];
        case 'PROJECT_FILE_INVALID':
          return [commandFix(`Open ${projectFile}`, diagnostic, commands.openProjectContext.id, document)];
        default:
          return [];
      }
    });
  }

  dispose(): void {
    this.#registration.dispose();
  }
}

/** One fix for each intent that the task reads as: a person chooses. */
function intentFixes(document: TextDocument, diagnostic: Diagnostic): CodeAction[] {
  const text = document.getText();
  const [tasks, index] = pathAt(text, document.offsetAt(diagnostic.range.start));
  const json = parseJsonText(new TextEncoder().encode(text));
  if (tasks !== 'tasks' || typeof index !== 'number' || json.value === undefined) return [];
  return intentChoices(json.value, index).map((intent) => {
    const fix = new CodeAction(`Declare the intent ${intent}`, CodeActionKind.QuickFix);
    fix.diagnostics = [diagnostic];
    const edited = new TextDecoder().decode(
      editJson(json.bytes, [{ path: ['tasks', index, 'intent'], value: intent }]),
    );
    fix.edit = new WorkspaceEdit();
    const [range, inserted] = difference(document, text, edited);
    fix.edit.replace(document.uri, range, inserted);
    return fix;
  });
}

function commandFix(title: string, diagnostic: Diagnostic, command: string, document: TextDocument): CodeAction {
  const fix = new CodeAction(title, CodeActionKind.QuickFix);
  fix.diagnostics = [diagnostic];
  fix.isPreferred = true;
  fix.command = { title, command, arguments: [document.uri] };
  return fix;
}

/** What differs between two texts, so that cursor and folds of a person stay where they are. */
function difference(document: TextDocument, before: string, after: string): readonly [Range, string] {
  let start = 0;
  while (start < before.length && before[start] === after[start]) start += 1;
  let end = 0;
  while (end < before.length - start && before.at(-1 - end) === after.at(-1 - end)) end += 1;
  const range = new Range(document.positionAt(start), document.positionAt(before.length - end));
  return [range, after.slice(start, after.length - end)];
}
