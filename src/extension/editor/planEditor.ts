import {
  CodeLens,
  CompletionItem,
  CompletionItemKind,
  EventEmitter,
  FileType,
  SnippetString,
  Uri,
  languages,
  workspace,
  type CodeLensProvider,
  type CompletionItemProvider,
  type HoverProvider,
  type Position,
  type Range,
  type TextDocument,
} from 'vscode';
import { planPlaces } from '../../adapters/documents/planPlaces';
import { planState } from '../../core/view/plan/editorFindings';
import { ui, type UiText } from '../../base/text/marked/ui';
import type { PlanFiles } from '../../engine/ports/plans';
import { type MissionHere, followViews } from '../folder/missionsHere';
import type { MissionFolders } from '../folder/types';
import type { Contribution } from '../registry/contribution';
import { commands } from '../registry/registry';
import { entriesOf } from '../window/files';
import { hover, lensTitle } from '../window/ui';
import type { PlanFindings } from '../plans/diagnostics';
import { planChoicesAt } from '../plans/planChoices';
import { snippetsAt, type PlacedSnippet } from '../plans/snippetsAt';
import { planDocuments, rangeOf, textOf, calledFrom, missionOfPlan } from './planDocuments';
import { planLines, taskFacts, type PlanLine } from './planLines';
import { changedFrom } from './planStatus';
import { isPlanUri } from '../plans/uris';

export class PlanEditor implements Contribution, CodeLensProvider, CompletionItemProvider, HoverProvider {
  readonly #changed = new EventEmitter<void>();
  readonly onDidChangeCodeLenses = this.#changed.event;
  readonly #parts: readonly Contribution[];

  constructor(
    private readonly folders: MissionFolders,
    private readonly planFindings: PlanFindings,
    private readonly plans: Pick<PlanFiles, 'read'>,
  ) {
    this.#parts = [
      languages.registerCompletionItemProvider(planDocuments, this, '"', '/'),
      languages.registerHoverProvider(planDocuments, this),
      languages.registerCodeLensProvider(planDocuments, this),
      followViews(folders, () => this.#changed.fire()),
      planFindings.onDidJudge(() => this.#changed.fire()),
      this.#changed,
    ];
  }

  async provideCompletionItems(document: TextDocument, position: Position): Promise<CompletionItem[]> {
    const text = textOf(document);
    if (text === null) return [];
    const choices = planChoicesAt(text, document.offsetAt(position));
    if (choices === null) return snippetsAt(text, document.offsetAt(position)).map(snippet);
    const range = rangeOf(document, choices.at);
    if (choices.kind === 'values')
      return choices.values.map(({ value, detail }) => item(value, range, CompletionItemKind.Reference, ui`${detail}`));
    const folder = workspace.getWorkspaceFolder(document.uri);
    const entries = folder ? await entriesOf(Uri.joinPath(folder.uri, choices.folder)) : [];
    return entries
      .filter(([name]) => name !== '.git' && name !== '.mission-control')
      .map(([name, type]) => {
        const isFolder = (type & FileType.Directory) !== 0;
        const kind = isFolder ? CompletionItemKind.Folder : CompletionItemKind.File;
        return item(`${choices.folder}${name}${isFolder ? '/' : ''}`, range, kind, null);
      });
  }

  provideHover(document: TextDocument, position: Position): ReturnType<typeof hover> | null {
    const text = textOf(document);
    const mission = missionOfPlan(this.folders, document.uri);
    if (text === null || mission === null) return null;
    const offset = document.offsetAt(position);
    const at = planPlaces(text).tasks.find(
      (task) => offset >= task.at.offset && offset <= task.at.offset + task.at.length,
    );
    const task = at && mission.tasks.find(({ task_id }) => task_id === at.task_id);
    return task ? hover(taskFacts(mission, task), rangeOf(document, at.at)) : null;
  }

  async provideCodeLenses(document: TextDocument): Promise<CodeLens[]> {
    const text = textOf(document);
    const findings = this.planFindings.of(document.uri);
    if (text === null || findings === null || !isPlanUri(document.uri)) return [];
    const mission = missionOfPlan(this.folders, document.uri);
    const changed = mission !== null && changedFrom((await this.plans.read(document.uri.fsPath)).sha256, mission);
    return planLines(planPlaces(text), planState(findings), mission, changed).map((line) =>
      lens(document, line, mission),
    );
  }

  dispose(): void {
    for (const part of this.#parts) part.dispose();
  }
}

function lens(document: TextDocument, { offset, text, does }: PlanLine, mission: MissionHere | null): CodeLens {
  const range = rangeOf(document, { offset, length: 0 });
  const title = lensTitle(text);
  if (does === null) return new CodeLens(range, { title, command: '' });
  const called = [...calledFrom(document.uri, does, mission)];
  return new CodeLens(range, { title, command: commands[does].id, arguments: called });
}

function snippet({ label, detail, text }: PlacedSnippet): CompletionItem {
  const completion = new CompletionItem(label, CompletionItemKind.Snippet);
  completion.insertText = new SnippetString(text);
  completion.detail = detail;
  return completion;
}

/** Replaces everything between the quotes. */
function item(value: string, range: Range, kind: CompletionItemKind, detail: UiText | null): CompletionItem {
  const quoted = JSON.stringify(value);
  const completion = new CompletionItem(value, kind);
  completion.insertText = quoted;
  completion.filterText = quoted;
  completion.range = range;
  if (detail !== null) completion.detail = detail.toString();
  // Continues, because a path seldom ends at a folder.
  if (kind === CompletionItemKind.Folder) completion.command = { title: '', command: 'editor.action.triggerSuggest' };
  return completion;
}
