import { commands, env, window } from 'vscode';
import { startsHeld } from '../../adapters/user/machineHold';
import { type MissionFolders, changedFiles, followViews } from '../folder/missionFolders';
import {
  contextKeys,
  ownKeys,
  type ContextKeyName,
  stepKeys,
  type StepKeyName,
  together,
  type Contribution,
} from '../registry/registry';
import { contextFacts } from './missionFacts';
import { isSample } from '../plans/samples';

/** Sets our context keys, on which the palette's commands depend; no other code sets them. */
export function setContextKeys(folders: MissionFolders): Contribution {
  const set = new Map<ContextKeyName, boolean>();
  let changed = '';
  return followViews(folders, () => {
    const files = [...changedFiles(folders.all).keys()];
    const shown = files.length > 0 && files.flatMap(asWindowNames);
    if (changed !== (changed = files.join('\0')))
      void commands.executeCommand('setContext', ownKeys.changedFiles, shown);
    const facts = contextFacts(folders.all.flatMap(({ view }) => view?.missions ?? []));
    for (const name of Object.keys(contextKeys) as ContextKeyName[]) {
      if (set.get(name) === facts[name]) continue;
      set.set(name, facts[name]);
      void commands.executeCommand('setContext', contextKeys[name], facts[name]);
    }
  });
}

/** Looks at each change of a mission and each return to the window, because a terminal may stop everything. */
export function followHold(folders: MissionFolders): Contribution {
  return together([followViews(folders, () => void lookAtHold()), window.onDidChangeWindowState(lookAtHold)]);
}

export async function lookAtHold(): Promise<void> {
  await commands.executeCommand('setContext', ownKeys.startsHeld, (await startsHeld()) !== null);
}

/** The window of a remote folder may run on Windows, which writes the same path with its own separators. */
function asWindowNames(file: string): readonly string[] {
  return env.remoteName === undefined ? [file] : [file, file.replaceAll('/', '\\')];
}

/** The done steps of the walkthrough. A step stays done, because VS Code keeps its ticks. */
export class DoneSteps implements Contribution {
  readonly #done = new Set<StepKeyName>();
  readonly #following: Contribution;

  constructor(folders: MissionFolders) {
    this.#following = followViews(folders, () => {
      for (const { plan_id } of folders.all.flatMap(({ view }) => view?.missions ?? []))
        this.tick(isSample(plan_id) ? 'sampleRan' : 'planRan');
    });
  }

  tick(step: StepKeyName): void {
    if (this.#done.has(step)) return;
    this.#done.add(step);
    void commands.executeCommand('setContext', stepKeys[step], true);
  }

  /** Ticks a step for a plan. A sample ticks none, because it is no plan of the person. */
  tickPlan(step: 'planWritten' | 'planApproved', planId: string): void {
    if (!isSample(planId)) this.tick(step);
  }

  dispose(): void {
    this.#following.dispose();
  }
}
