import { commands as vscodeCommands } from 'vscode';
import { ui } from '../base/text/marked/ui';
import { reportChanges, reportSaves } from './editor/savedDocuments';
import { approvePlan } from './commands/plan/approvePlan';
import {
  acceptChange,
  acknowledge,
  cancelMission,
  pause,
  rerunValidation,
  resume,
  retryTask,
  skipTask,
  stopWorker,
} from './commands/ask/decisions';
import { doctor, doctorAfterTrust, doctorRemedy } from './commands/doctor';
import { answerQuestion, completeIntervention, grantAndResume, confirmMemory, resolveBlocker } from './commands/answer';
import { comparePlan, validatePlan } from './commands/plan/planState';
import { draftPlanWithAgent, newPlan } from './commands/plan/newPlan';
import { exportHandoff, resumeHandoff } from './commands/handoff';
import { openSample, showOpenedSample, runSample } from './commands/openSample';
import { newRevision, reviseTask } from './commands/plan/newRevision';
import {
  openEvidence,
  openPlan,
  openRecoveryPacket,
  showNeedsYou,
  showWorkerTerminal,
  verifyEvidence,
} from './commands/opening';
import { newProjectContext, openProjectContext } from './commands/projectContext';
import { reviewChanges, sendBack, undoAttempt } from './commands/reviewChanges';
import { runPlan } from './commands/plan/runPlan';
import { allowStarts, stopEverything } from './commands/stopEverything';
import type { Composition } from './compose';
import { countTaskLines } from '../engine/views/readReview';
import { together, type Contribution, type Starter, commands, type CommandName } from './registry/registry';
import { PlanEditor, PlanLanguageStatus, PlanSymbols } from './editor/planEditor';
import { PlanFixes, PlanDiagnostics } from './plans/diagnostics';
import { ProjectDiagnostics } from './plans/projectDiagnostics';
import { provideMissionCommand } from './terminals/missionCommand';
import { WorkerTerminals } from './terminals/workerTerminals';
import { followHold, lookAtHold, setContextKeys } from './views/contextKeys';
import { FoundEvidence, PlanDrafts } from './views/folderFiles';
import { BrowserPages } from './panel/browserPages';
import { MissionControlPanel } from './panel/missionControlPanel';
import { MissionNotifications } from './views/missionNotifications';
import { PanelData } from './views/panelData';
import { showInStatusBar } from './views/statusBar';
import { Trees } from './trees/trees';

/** Commands that take what they are called on, or nothing, and no other part of the window. */
const onTarget = {
  ...{ newPlan, runSample, openSample, resumeHandoff, showNeedsYou, doctor, compareWithLockedPlan: comparePlan },
  ...{ newRevision, newProjectContext, openProjectContext, validatePlan, approvePlan, runPlan, openPlan, pause },
  ...{ resume, stopWorker, resolveBlocker, retryTask, grantAndResume, rerunValidation, reviseTask, acceptChange },
  ...{
    completeIntervention,
    answerQuestion,
    confirmMemory,
    undoAttempt,
    skipTask,
    cancelMission,
    acknowledge,
    exportHandoff,
  },
  ...{ reviewChanges, sendBack, openRecoveryPacket, doctorRemedy, grantDirectory: grantAndResume },
};

/** Each command, view and provider with its class or function. A command without a handler does not compile. */
export function contributionsOf(composition: Composition): readonly Starter[] {
  const { context, folders, pages, person, reviews, savesReported } = composition;
  context.subscriptions.push(reviews);
  const terminals = new WorkerTerminals(composition);
  const shown = panelOf(composition, terminals);
  const { panel } = shown;
  const browser = new BrowserPages(composition);
  const bound = Object.fromEntries(
    Object.entries(onTarget).map(([name, handler]) => [name, (argument: unknown) => handler(composition, argument)]),
  ) as Readonly<Record<keyof typeof onTarget, (argument: unknown) => unknown>>;
  const handlers: Readonly<Record<CommandName, (argument: unknown) => unknown>> = {
    ...bound,
    draftPlan: () => draftPlanWithAgent(composition, terminals),
    stopEverything: () => stopEverything(composition).then(lookAtHold),
    allowStarts: () => allowStarts(composition).then(lookAtHold),
    showMissionControl: (argument) => panel.show(argument),
    openInBrowser: () => browser.open(),
    showWorkerTerminal: (argument) => showWorkerTerminal(composition, terminals, argument),
    openEvidence: (argument) => openEvidence(composition, shown.data, argument),
    verifyEvidence: (argument) => verifyEvidence(composition, shown.data, argument),
    addComment: (argument) => composition.reviewComments.add(argument),
    discardComments: (argument) => composition.reviewComments.discard(argument),
    approveReviewed: (argument) => reviews.approve(argument),
  };
  return [
    ...(Object.keys(handlers) as CommandName[]).map((name) => ({
      name: commands[name].title,
      start: (): Contribution =>
        vscodeCommands.registerCommand(commands[name].id, (argument: unknown) => {
          const called = panel.argumentOf(name, argument);
          return called && handlers[name](called.argument);
        }),
    })),
    { name: 'Mission Control panel', start: () => shown },
    { name: 'Mission Control in a browser', start: () => browser },
    { name: 'pages', start: () => pages },
    { name: 'contents of files', start: () => composition.contents },
    { name: 'documents of reviews', start: () => composition.reviewDocuments },
    { name: 'comments on reviews', start: () => composition.reviewComments },
    { name: 'the page of the doctor', start: () => composition.doctorPages },
    { name: 'the page of the doctor after trust', start: () => doctorAfterTrust(composition) },
    { name: 'terminals', start: () => terminals },
    { name: 'the mission command in terminals', start: () => provideMissionCommand(composition) },
    { name: 'plans in the editor', start: () => startDiagnostics(composition) },
    { name: 'status bar', start: () => showInStatusBar(folders) },
    { name: 'context keys', start: () => setContextKeys(folders) },
    { name: 'stop of everything', start: () => followHold(folders) },
    { name: 'steps of the walkthrough', start: () => composition.doneSteps },
    { name: 'notifications', start: () => new MissionNotifications(folders, context.workspaceState) },
    { name: 'saved documents', start: () => reportSaves(folders, person, savesReported) },
    { name: 'changed files', start: () => reportChanges(folders) },
    { name: 'sample', start: () => showOpenedSample(composition) },
  ];
}

function panelOf(
  composition: Composition,
  terminals: WorkerTerminals,
): Contribution & { readonly panel: MissionControlPanel; readonly data: PanelData } {
  const { folders, clock, settings, agentsHere, selection } = composition;
  const drafts = new PlanDrafts(folders, { ...composition, defaultWorker: settings.defaultWorker });
  const evidence = new FoundEvidence(folders);
  const data = new PanelData({
    folders,
    drafts,
    evidence,
    mission: composition.mission,
    lines: async (folder, mission) => {
      const counted = await composition.contents.use(folder, (contents) => countTaskLines(mission, contents));
      return counted.ok ? counted.value : new Map();
    },
    now: () => clock.now(),
    found: () => agentsHere.found(),
  });
  const follow = (changed: () => void): Contribution =>
    together([drafts, evidence, data, agentsHere].map((source) => source.onDidChange(changed)));
  const trees = new Trees({ folders, data, drafts, evidence, selection, follow, now: () => clock.now() });
  const panel = new MissionControlPanel({ ...composition, data, terminals, trees, follow });
  return { panel, data, ...together([panel, trees, data, evidence, drafts, selection, agentsHere]) };
}

/** Judges plans and ai.project.json; a change of that file changes the findings of plans that need it. */
function startDiagnostics(composition: Composition): Contribution {
  const { folders, log, planWritten, settings, clock } = composition;
  const plans = new PlanDiagnostics(
    composition.plans,
    settings.defaultWorker,
    (problem) => log.error(ui`A plan could not be judged`, problem),
    planWritten,
  );
  const files = composition.plans;
  const parts = [
    new PlanEditor(folders, plans, files),
    new PlanSymbols(),
    new PlanLanguageStatus({
      folders,
      planFindings: plans,
      plans: files,
      steps: composition.doneSteps,
      onProblem: (problem) => log.error(ui`The status of a plan could not be read`, problem),
    }),
    new PlanFixes({ planFindings: plans, defaultWorker: settings.defaultWorker, clock }),
  ];
  const project = new ProjectDiagnostics(plans.checkFolder, (problem) =>
    log.error(ui`ai.project.json could not be judged`, problem),
  );
  return together([project, ...parts, plans]);
}
