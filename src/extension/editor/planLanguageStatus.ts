import { commands as vscodeCommands, window, workspace, type TextDocument, type Uri } from 'vscode';
import { ui } from '../../base/text/marked/ui';
import { numberAt, objectAt, textAt } from '../../base/json';
import { planState } from '../../core/view/plan/editorFindings';
import type { PlanFiles } from '../../engine/ports/plans';
import { followViews, type MissionHere } from '../folder/missionsHere';
import type { ApprovalVerdict } from '../../core/plan/approvalRecord';
import type { ApprovedBytes, MissionFolder, MissionFolders } from '../folder/types';
import type { PlanFindings } from '../plans/diagnostics';
import { idInName, isPlanUri } from '../plans/uris';
import type { Contribution } from '../registry/contribution';
import { commands, ownKeys } from '../registry/registry';
import { LanguageItem, type LanguageLine } from '../window/ui';
import { Paced } from '../window/paced';
import { planDocuments, calledFrom, missionOfPlan } from './planDocuments';
import { planSteps } from './planLines';
import { changedFrom, hashLine, lockLine, type PlanStatusFacts, type PlanStatusLine } from './planStatus';

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
