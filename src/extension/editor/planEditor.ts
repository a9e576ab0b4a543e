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
  commands as vscodeCommands,
  window,
  DocumentSymbol,
  SymbolKind,
  type DocumentSymbolProvider,
} from 'vscode';
import { planPlaces } from '../../adapters/documents/planPlaces';
import { planState } from '../../core/view/plan/editorFindings';
import { ui, type UiText } from '../../base/text/marked/ui';
import type { PlanFiles } from '../../engine/ports/plans';
import {
  type MissionHere,
  followViews,
  type MissionFolders,
  type ApprovedBytes,
  type MissionFolder,
} from '../folder/missionFolders';
import { type Contribution, commands, ownKeys } from '../registry/registry';
import { entriesOf } from '../window/files';
import { hover, lensTitle, LanguageItem, type LanguageLine } from '../window/ui';
import type { PlanFindings } from '../plans/diagnostics';
import { planChoicesAt } from '../plans/planChoices';
import { snippetsAt, type PlacedSnippet } from '../plans/snippetsAt';
import { planDocuments, rangeOf, textOf, calledFrom, missionOfPlan } from './planDocuments';
import {
  planLines,
  taskFacts,
  type PlanLine,
  planSteps,
  changedFrom,
  hashLine,
  lockLine,
  type PlanStatusFacts,
  type PlanStatusLine,
  planOutline,
  type OutlineEntry,
} from './planLines';
import { isPlanUri, idInName } from '../plans/uris';
import { numberAt, objectAt, textAt } from '../../base/json';
import type { ApprovalVerdict } from '../../core/plan/approvalRecord';
import { Paced } from '../window/paced';

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

interface StatusParts {
  readonly folders: MissionFolders;
  readonly planFindings: PlanFindings;
  readonly plans: Pick<PlanFiles, 'read'>;
  readonly steps: { readonly tickPlan: (step: 'planWritten' | 'planApproved', planId: string) => void };
  readonly onProblem: (problem: unknown) => void;
}

/** Milliseconds between two looks. */
const pace = 50;

/**
 * Shows behind `{}` in the status bar whether a plan's bytes are approved, and whether a mission holds them. Sets the
 * context keys of the plan's title buttons.
 */
export class PlanLanguageStatus implements Contribution {
  readonly #hash = new LanguageItem(
    'missionControl.planHash',
    ui`Mission Control: approval of the plan`,
    planDocuments,
  );
  readonly #lock = new LanguageItem('missionControl.planLock', ui`Mission Control: lock of the plan`, planDocuments);
  readonly #subscriptions: readonly Contribution[];
  readonly #look = new Paced(pace, () =>
    this.#showPlan(window.activeTextEditor?.document).catch((error: unknown) => this.parts.onProblem(error)),
  );
  #asks = false;
  #keys = '';

  constructor(private readonly parts: StatusParts) {
    // Waits a little, because a running mission changes faster than a person reads.
    const changed = (): void => this.#look.ask();
    this.#subscriptions = [
      // Ignores events of its own look, because a look for an approval reads the folder anew.
      followViews(parts.folders, () => {
        if (!this.#asks) changed();
      }),
      parts.planFindings.onDidJudge(changed),
      window.onDidChangeActiveTextEditor(changed),
      workspace.onDidSaveTextDocument(changed),
      this.#hash,
      this.#lock,
      this.#look,
    ];
  }

  dispose(): void {
    for (const subscription of this.#subscriptions) subscription.dispose();
  }

  async #showPlan(document: TextDocument | undefined): Promise<void> {
    if (!document || !isPlanUri(document.uri)) {
      this.#set('', false);
      return;
    }
    const facts = await this.#facts(document);
    if (window.activeTextEditor?.document !== document) return;
    const { state, sha256, mission, approval } = facts;
    const planId = idInName(document.uri);
    if (state !== null) this.parts.steps.tickPlan('planWritten', planId);
    if (approval?.counts) this.parts.steps.tickPlan('planApproved', planId);
    this.#hash.show(lineOf(hashLine(facts), document.uri, mission));
    this.#lock.show(lineOf(lockLine(facts), document.uri, mission));
    const known = state === null || state === 'draft' || state === 'approved';
    this.#set(known ? (state ?? '') : 'errors', changedFrom(sha256, mission));
  }

  async #facts({ uri, isDirty }: TextDocument): Promise<PlanStatusFacts & { readonly mission: MissionHere | null }> {
    const { folders, planFindings, plans } = this.parts;
    const folder = folders.of(uri.fsPath);
    const findings = planFindings.of(uri);
    const { sha256, value, other_forms = [] } = await plans.read(uri.fsPath);
    const state = findings && planState(findings);
    const risk_level = numberAt(objectAt(value, 'risk'), 'level') ?? 0;
    const named = { plan_id: textAt(value, 'plan_id') ?? '', plan_file: uri.fsPath };
    const asked =
      state === 'approved' && sha256 !== null ? { ...named, plan_sha256: sha256, other_forms, risk_level } : null;
    return {
      state,
      sha256,
      edited: isDirty,
      approval: asked && folder ? await this.#approvalOf(folder, asked) : null,
      mission: missionOfPlan(folders, uri),
    };
  }

  async #approvalOf(folder: MissionFolder, bytes: ApprovedBytes): Promise<ApprovalVerdict | null> {
    this.#asks = true;
    try {
      return await folder.approvalOf(bytes);
    } finally {
      this.#asks = false;
    }
  }

  #set(state: string, changed: boolean): void {
    const keys = `${state} ${changed}`;
    if (keys === this.#keys) return;
    this.#keys = keys;
    void vscodeCommands.executeCommand('setContext', ownKeys.planState, state);
    void vscodeCommands.executeCommand('setContext', ownKeys.planChanged, changed);
  }
}

function lineOf({ text, detail, severity, does }: PlanStatusLine, uri: Uri, mission: MissionHere | null): LanguageLine {
  const command = does && {
    ...{ title: planSteps[does], command: commands[does].id },
    arguments: calledFrom(uri, does, mission),
  };
  return { text, detail, severity, command };
}

export class PlanSymbols implements Contribution, DocumentSymbolProvider {
  readonly #registration = languages.registerDocumentSymbolProvider(planDocuments, this, { label: 'Mission Control' });

  provideDocumentSymbols(document: TextDocument): DocumentSymbol[] {
    const text = textOf(document);
    const places = text === null ? null : planPlaces(text);
    if (text === null || places === null) return [];
    const id = places.plan ? text.slice(places.plan.offset + 1, places.plan.offset + places.plan.length - 1) : '';
    const outline = planOutline(places, id);
    return outline ? [symbol(document, outline)] : [];
  }

  dispose(): void {
    this.#registration.dispose();
  }
}

const kinds = { plan: SymbolKind.Module, milestone: SymbolKind.Event, task: SymbolKind.Function } as const;

function symbol(document: TextDocument, { kind, name, detail, whole, at, inside }: OutlineEntry): DocumentSymbol {
  const made = new DocumentSymbol(
    name.toString(),
    detail.toString(),
    kinds[kind],
    rangeOf(document, whole),
    rangeOf(document, at),
  );
  made.children = inside.map((one) => symbol(document, one));
  return made;
}
