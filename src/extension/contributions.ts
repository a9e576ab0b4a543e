import { commands as vscodeCommands } from 'vscode';
import { ui } from '../base/text/ui';
import { ChangedFiles } from './editor/changedFiles';
import { approvePlan } from './commands/approvePlan';
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
} from './commands/decisions';
import { doctor } from './commands/doctor';
import { answerQuestion } from './commands/answer';
import { confirmMemory } from './commands/confirmMemory';
import { completeIntervention } from './commands/intervene';
import { exportHandoff, resumeHandoff } from './commands/handoff';
import { newPlan } from './commands/newPlan';
import { newRevision } from './commands/newRevision';
import { openEvidence, openRecoveryPacket, showWorkerTerminal } from './commands/opening';
import { grantAndResume } from './commands/grant';
import { newProjectContext, openProjectContext } from './commands/projectContext';
import { resolveBlocker } from './commands/resolveBlocker';
import { reviseTask } from './commands/reviseTask';
import { runPlan } from './commands/runPlan';
import { allowStarts, stopEverything } from './commands/stopEverything';
import { validatePlan } from './commands/validatePlan';
import type { Composition } from './compose';
import type { Contribution, Starter } from './registry/contribution';
import { PlanFixes } from './plans/planFixes';
import { ProjectDiagnostics } from './plans/projectDiagnostics';
import { PlanDiagnostics } from './plans/diagnostics';
import { commands, type CommandName } from './registry/registry';
import { SavedDocuments } from './editor/savedDocuments';
import { provideMissionCommand } from './terminals/missionCommand';
import { WorkerTerminals } from './terminals/workerTerminals';
import { ContextKeys } from './views/contextKeys';
import { MissionControlPanel } from './views/missionControlPanel';
import { MissionNotifications } from './views/missionNotifications';
import { StatusBar } from './views/statusBar';

/** Each command, view and provider with its class or function. A command without a handler does not compile. */
export function contributionsOf(composition: Composition): readonly Starter[] {
  const { context, folders, pages, person, reviews, savesReported } = composition;
  context.subscriptions.push(reviews);
  const panel = new MissionControlPanel(context, folders);
  const terminals = new WorkerTerminals(composition);
  const handlers: Readonly<Record<CommandName, (argument: unknown) => unknown>> = {
    newPlan: () => newPlan(composition),
    newRevision: (argument) => newRevision(composition, argument),
    newProjectContext: (argument) => newProjectContext(composition, argument),
    openProjectContext: (argument) => openProjectContext(composition, argument),
    validatePlan: (argument) => validatePlan(composition, argument),
    approvePlan: (argument) => approvePlan(composition, argument),
    runPlan: (argument) => runPlan(composition, argument),
    pause: (argument) => pause(composition, argument),
    resume: (argument) => resume(composition, argument),
    stopWorker: (argument) => stopWorker(composition, argument),
    stopEverything: () => stopEverything(composition),
    allowStarts: () => allowStarts(composition),
    resolveBlocker: (argument) => resolveBlocker(composition, argument),
    retryTask: (argument) => retryTask(composition, argument),
    grantAndResume: (argument) => grantAndResume(composition, argument),
    grantDirectory: (argument) => grantAndResume(composition, argument),
    rerunValidation: (argument) => rerunValidation(composition, argument),
    reviseTask: (argument) => reviseTask(composition, argument),
    acceptChange: (argument) => acceptChange(composition, argument),
    completeIntervention: (argument) => completeIntervention(composition, argument),
    answerQuestion: (argument) => answerQuestion(composition, argument),
    confirmMemory: (argument) => confirmMemory(composition, argument),
    skipTask: (argument) => skipTask(composition, argument),
    cancelMission: (argument) => cancelMission(composition, argument),
    acknowledge: (argument) => acknowledge(composition, argument),
    exportHandoff: (argument) => exportHandoff(composition, argument),
    resumeHandoff: () => resumeHandoff(composition),
    showMissionControl: () => panel.show(),
    showWorkerTerminal: (argument) => showWorkerTerminal(composition, terminals, argument),
    openEvidence: (argument) => openEvidence(composition, argument),
    openRecoveryPacket: (argument) => openRecoveryPacket(composition, argument),
    doctor: () => doctor(composition),
    approveReviewed: (argument) => reviews.approve(argument),
    approveAndRunReviewed: (argument) => reviews.approve(argument),
    approveAndResumeReviewed: (argument) => reviews.approve(argument),
  };
  return [
    ...(Object.keys(handlers) as CommandName[]).map((name) => ({
      name: commands[name].title,
      start: (): Contribution => vscodeCommands.registerCommand(commands[name].id, handlers[name]),
    })),
    { name: 'Mission Control panel', start: () => panel },
    { name: 'pages', start: () => pages },
    { name: 'terminals', start: () => terminals },
    { name: 'the mission command in terminals', start: () => provideMissionCommand(composition) },
    { name: 'plan diagnostics', start: () => startDiagnostics(composition) },
    { name: 'fixes of plans', start: () => new PlanFixes() },
    { name: 'status bar', start: () => new StatusBar(folders) },
    { name: 'context keys', start: () => new ContextKeys(folders) },
    { name: 'notifications', start: () => new MissionNotifications(folders, context.workspaceState) },
    { name: 'saved documents', start: () => new SavedDocuments(folders, person, savesReported) },
    { name: 'changed files', start: () => new ChangedFiles(folders) },
  ];
}

/** Plans and ai.project.json: a change of the file changes what is found in plans that need it. */
function startDiagnostics({ log, planWork, planWritten, settings }: Composition): Contribution {
  const plans = new PlanDiagnostics(
    planWork,
    settings.defaultWorker,
    (problem) => log.error(ui`A plan could not be judged`, problem),
    planWritten,
  );
  const project = new ProjectDiagnostics(plans.checkFolder, (problem) =>
    log.error(ui`ai.project.json could not be judged`, problem),
  );
  return {
    dispose() {
      project.dispose();
      plans.dispose();
    },
  };
}
