import {
  EventEmitter,
  RelativePattern,
  languages,
  workspace,
  type DiagnosticCollection,
  type Event,
  type TextDocument,
  Uri,
  type WorkspaceFolder,
  Diagnostic,
  DiagnosticSeverity,
  Range,
  CodeAction,
  CodeActionKind,
  WorkspaceEdit,
  type CodeActionContext,
  type CodeActionProvider,
} from 'vscode';
import { ownKeyFolder } from '../../adapters/user/key';
import { machinePolicyName, repositoryPolicyPath } from '../../contracts/vocabulary/models';
import { watchFiles } from '../window/files';
import type { Finding } from '../../core/documents/finding';
import type { WorkerName } from '../../contracts/vocabulary/workers';
import { isPlanUri, openDocument } from './uris';
import { planGlob, type Contribution, commands } from '../registry/registry';
import { settings } from '../registry/settingEntries';
import type { PlanWritten } from './written';
import { ui } from '../../base/text/marked/ui';
import { fixJson } from '../../adapters/documents/fixes';
import { parsePlanText } from '../../adapters/documents/json';
import { projectFile } from '../../contracts/vocabulary/aiProject';
import type { FixCommand, PlanFix } from '../../core/plan/fixes/planFix';
import type { JudgeOptions } from '../../core/plan/judgePlan';
import { findingsInEditor } from '../../engine/plans/check';
import { offeredFixes } from '../../engine/plans/offeredFixes';
import type { PlanFiles } from '../../engine/ports/plans';
import type { Clock } from '../../engine/ports/time';

export interface PlanFindings {
  /** Null: not judged yet. */
  of(uri: Uri): readonly Finding[] | null;
  /** Null too if the document has changed since, because its findings may be gone or lie elsewhere. */
  ofText(document: Pick<TextDocument, 'uri' | 'version'>): readonly Finding[] | null;
  readonly onDidJudge: Event<Uri>;
}

/** Milliseconds without typing before a plan is judged again. */
const typingPause = 150;

/**
 * Findings of every plan file in the workspace. Judges an edited document by its text, every other file by its bytes on
 * disk. Editor, CLI and engine use the same function.
 */
export class PlanDiagnostics implements Contribution, PlanFindings {
  readonly #collection: DiagnosticCollection = languages.createDiagnosticCollection('mission-control');
  readonly #subscriptions: Contribution[] = [this.#collection];
  readonly #watchers = new Map<string, Contribution>();
  readonly #timers = new Map<string, NodeJS.Timeout>();
  /** Newest check of each file; results of older ones are dropped. */
  readonly #checks = new Map<string, number>();
  readonly #findings = new Map<string, { readonly findings: readonly Finding[]; readonly version: number }>();
  readonly #judged = new EventEmitter<Uri>();
  readonly onDidJudge = this.#judged.event;
  #disposed = false;

  constructor(
    private readonly files: PlanFiles,
    private readonly defaultWorker: () => WorkerName,
    private readonly onProblem: (problem: unknown) => void,
    written: PlanWritten,
  ) {
    written.follow((uri) => this.#checkFile(uri));
    this.#subscriptions.push(
      workspace.onDidOpenTextDocument((document) => this.#documentChanged(document)),
      workspace.onDidChangeTextDocument(({ document }) => this.#documentChanged(document)),
      workspace.onDidCloseTextDocument((document) => {
        if (isPlanUri(document.uri)) void this.#checkFile(document.uri);
      }),
      workspace.onDidChangeWorkspaceFolders(({ added, removed }) => {
        for (const folder of removed) this.#forget(folder);
        for (const folder of added) this.#follow(folder);
      }),
      ...followBesidePlans(() => {
        for (const folder of workspace.workspaceFolders ?? []) void this.checkFolder(folder);
      }),
    );
    for (const folder of workspace.workspaceFolders ?? []) this.#follow(folder);
  }

  of(uri: Uri): readonly Finding[] | null {
    return this.#findings.get(uri.toString())?.findings ?? null;
  }

  ofText({ uri, version }: Pick<TextDocument, 'uri' | 'version'>): readonly Finding[] | null {
    const judged = this.#findings.get(uri.toString());
    return judged?.version === version ? judged.findings : null;
  }

  readonly checkFolder = async (folder: WorkspaceFolder): Promise<void> => {
    const uris = await workspace.findFiles(new RelativePattern(folder, planGlob), null);
    await Promise.all(uris.map((uri) => this.#checkFile(uri)));
  };

  dispose(): void {
    this.#disposed = true;
    for (const timer of this.#timers.values()) clearTimeout(timer);
    for (const disposable of [...this.#watchers.values(), ...this.#subscriptions, this.#judged]) disposable.dispose();
  }

  #follow(folder: WorkspaceFolder): void {
    const watcher = workspace.createFileSystemWatcher(new RelativePattern(folder, planGlob));
    watcher.onDidCreate((uri) => void this.#checkFile(uri));
    watcher.onDidChange((uri) => void this.#checkFile(uri));
    watcher.onDidDelete((uri) => this.#clear(uri));
    this.#watchers.set(folder.uri.toString(), watcher);
    void this.checkFolder(folder);
  }

  #forget(folder: WorkspaceFolder): void {
    this.#watchers.get(folder.uri.toString())?.dispose();
    this.#watchers.delete(folder.uri.toString());
    const stale: Uri[] = [];
    this.#collection.forEach((uri) => {
      if (uri.path.startsWith(`${folder.uri.path}/`)) stale.push(uri);
    });
    for (const uri of stale) this.#clear(uri);
  }

  #documentChanged(document: TextDocument): void {
    if (!isPlanUri(document.uri)) return;
    const key = document.uri.toString();
    clearTimeout(this.#timers.get(key));
    this.#timers.set(
      key,
      setTimeout(() => {
        this.#timers.delete(key);
        if (!document.isClosed) void this.#checkFile(document.uri);
      }, typingPause),
    );
  }

  /** Judges the text only while it is edited, because unedited text may be older than the file. */
  #checkFile(uri: Uri): Promise<void> {
    const document = openDocument(uri);
    const text = document?.isDirty === true ? document.getText() : null;
    // Version 1, because a document begins with the text of its file.
    return this.#check(uri, text, document?.version ?? 1);
  }

  async #check(uri: Uri, text: string | null, version: number): Promise<void> {
    const turn = this.#begin(uri);
    const folder = workspace.getWorkspaceFolder(uri);
    const options = {
      ...{ defaultWorker: this.defaultWorker(), looksAtProject: true as const },
      ...(folder && { workspaceDir: folder.uri.fsPath }),
    };
    try {
      const findings = await findingsInEditor(this.files, uri.fsPath, text, options);
      if (!this.#disposed && this.#checks.get(uri.toString()) === turn) {
        this.#collection.set(uri, findings.map(diagnosticOf));
        this.#findings.set(uri.toString(), { findings, version });
        this.#judged.fire(uri);
      }
    } catch (error) {
      if (!this.#disposed) this.onProblem(error);
    }
  }

  #begin(uri: Uri): number {
    const turn = (this.#checks.get(uri.toString()) ?? 0) + 1;
    this.#checks.set(uri.toString(), turn);
    return turn;
  }

  #clear(uri: Uri): void {
    this.#begin(uri);
    this.#collection.delete(uri);
    this.#findings.delete(uri.toString());
    this.#judged.fire(uri);
  }
}

export function diagnosticOf(finding: Finding): Diagnostic {
  const diagnostic = new Diagnostic(rangeOf(finding), ui`${finding.message}`.toString(), severities[finding.severity]);
  diagnostic.source = 'Mission Control';
  diagnostic.code = finding.code;
  return diagnostic;
}

const severities = {
  error: DiagnosticSeverity.Error,
  warning: DiagnosticSeverity.Warning,
  info: DiagnosticSeverity.Information,
} as const;

/** Converts lines and columns, which findings count from 1; a value over several lines is marked on its first. */
function rangeOf(finding: Finding): Range {
  const line = (finding.line ?? 1) - 1;
  const column = (finding.column ?? 1) - 1;
  return new Range(line, column, line, column + Math.max(1, finding.length ?? 1));
}

/** Follows the default worker and both model policies, because every plan is judged by them. */
function followBesidePlans(changed: () => void): readonly Contribution[] {
  const machine = ownKeyFolder();
  const patterns = [
    `**/${repositoryPolicyPath}`,
    ...(machine === null ? [] : [new RelativePattern(Uri.file(machine), machinePolicyName)]),
  ];
  return [
    workspace.onDidChangeConfiguration((change) => {
      if (change.affectsConfiguration(settings.defaultWorker.id)) changed();
    }),
    ...patterns.map((pattern) => watchFiles(pattern, changed)),
  ];
}

interface FixParts {
  readonly planFindings: Pick<PlanFindings, 'ofText'>;
  readonly defaultWorker: () => WorkerName;
  readonly clock: Pick<Clock, 'now'>;
}

export class PlanFixes implements Contribution, CodeActionProvider {
  readonly #registration = languages.registerCodeActionsProvider({ scheme: 'file', pattern: `**/${planGlob}` }, this, {
    providedCodeActionKinds: [CodeActionKind.QuickFix],
  });

  constructor(private readonly parts: FixParts) {}

  provideCodeActions(document: TextDocument, _range: Range, { diagnostics }: CodeActionContext): CodeAction[] {
    const text = document.getText();
    // A text that has changed since gets its fixes once it is judged again.
    const findings = this.parts.planFindings.ofText(document) ?? [];
    if (findings.length === 0) return [];
    const plan = parsePlanText(new TextEncoder().encode(text)).value;
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
