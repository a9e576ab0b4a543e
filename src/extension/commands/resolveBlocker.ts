import { commands as vscodeCommands } from 'vscode';
import type { BlockView, OutcomeView } from '../../contracts/missionView';
import { questionLimits } from '../../contracts/vocabulary/recovery';
import { ui } from '../../base/text/ui';
import type { Composition } from '../compose';
import { commands, type CommandName } from '../registry/registry';
import { isBlocked } from '../views/missionFacts';
import { alarm, askText, pick } from '../window/ui';
import { decide } from './decisions';
import { askReason, chooseBlock, chooseMission, type Target, type TargetArgument } from './targets';

/** Guided: what happened, what each outcome does, which are possible now, and why the others are not. */
export async function resolveBlocker(composition: Composition, argument?: unknown): Promise<void> {
  const { title } = commands.resolveBlocker;
  const question = { title, none: 'No task is blocked.' };
  const target = await chooseMission(composition.folders, { ...question, fits: isBlocked }, argument);
  const block = target && (await chooseBlock(target, target.mission.blocks, question));
  if (!block) return;
  const details = block.details.slice(0, 3).map((detail) => ` · ${detail}`);
  const placeHolder = ui`${block.task_id}: ${block.reason}${details.join('')}`;
  const items = [...(block.outcomes ?? []).map(outcomeItem), ...otherItems(block, target)];
  const chosen = await pick(items, { title, placeHolder, matchOnDetail: true });
  if (!chosen) return;
  if (chosen.command) {
    await vscodeCommands.executeCommand(commands[chosen.command].id, {
      folder: target.mission.folder,
      missionId: target.mission.mission_id,
      taskId: block.task_id,
    } satisfies TargetArgument);
    return;
  }
  const { outcome, label, refused } = chosen.view;
  if (refused) {
    void alarm(ui`${label} is not possible now. ${refused.reason} Next: ${ui.join(refused.next, ' · ')}`);
    return;
  }
  const asked = outcome === 'ask-user' ? await askQuestion(title, block) : {};
  if (!asked) return;
  const reason = await askReason(title, ui`Task ${block.task_id}: ${label}.`, target);
  const command = { type: 'ResolvePacket', packet_id: block.packet_id, outcome, ...asked } as const;
  await decide(composition, title, target, command, reason);
}

function outcomeItem(view: OutcomeView) {
  const { outcome, label, description, safe_when, refused } = view;
  const detail = refused ? refused.reason : `${description} Safe when: ${safe_when}`;
  return {
    label,
    description: `${outcome}${refused ? ', not possible now' : ''}`,
    detail,
    view,
    command: null,
  };
}

/** What else a person can decide about the block, by commands of their own. */
function otherItems({ task_id, acceptable, question, denied }: BlockView, { mission }: Target) {
  const { offers } = mission;
  const offered: readonly (readonly [CommandName, boolean, string])[] = [
    ['answerQuestion', question !== undefined, 'It asks something: its next attempt is given the answer.'],
    ['grantDirectory', denied !== undefined, 'For one attempt, what its worker was denied.'],
    ['acceptChange', acceptable.length > 0, 'Changes that block it may stay as they are, each by its name.'],
    ['reviseTask', offers.ReviseMetadata.includes(task_id), 'Time limits, priority or a note, for its next attempt.'],
    ['skipTask', offers.SkipTask.includes(task_id), 'The mission goes on without it and what depends on it.'],
    ['openRecoveryPacket', true, 'Read what happened first.'],
    ['cancelMission', offers.CancelMission, 'Give up the whole mission.'],
  ];
  return offered
    .filter(([, possible]) => possible)
    .map(([command, , detail]) => ({ label: commands[command].title, description: '', detail, command, view: null }));
}

async function askQuestion(title: string, { task_id }: BlockView): Promise<{ readonly question: string } | undefined> {
  const question = await askText({
    title,
    prompt: ui`What is asked about task ${task_id}? The packet stays open until it is answered.`,
    refuses(text) {
      if (text.trim() === '') return ui`A question needs words.`;
      return text.length > questionLimits.text ? ui`At most ${questionLimits.text} characters.` : null;
    },
  });
  return question === undefined ? undefined : { question };
}
