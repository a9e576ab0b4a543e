import { commands as vscodeCommands } from 'vscode';
import type { BlockView } from '../../contracts/missionView';
import { questionLimits } from '../../contracts/vocabulary/recovery';
import { ui } from '../../base/text/ui';
import type { Composition } from '../compose';
import { commands } from '../registry/registry';
import { blockChoices } from '../views/blockChoices';
import { isBlocked } from '../views/missionFacts';
import { pick } from '../window/pick';
import { alarm, askText } from '../window/ui';
import { decide } from './decisions';
import { askReason, blockPrompt, chooseBlock, chooseMission, type TargetArgument } from './targets';

/** Guides a person: what happened, what is possible now and what it does, then what is impossible and why. */
export async function resolveBlocker(composition: Composition, argument?: unknown): Promise<void> {
  const { title } = commands.resolveBlocker;
  const question = { title, none: 'No task is blocked.' };
  const target = await chooseMission(composition, { ...question, fits: isBlocked }, argument);
  const block = target && (await chooseBlock(target, target.mission.blocks, question));
  if (!block) return;
  const placeHolder = ui`What is done about task ${block.task_id}?`;
  const prompt = blockPrompt(block, block.details);
  const chosen = await pick(blockChoices(block, target.mission), { title, placeHolder, prompt, matchOnDetail: true });
  if (!chosen) return;
  if (chosen.does.kind === 'command') {
    await vscodeCommands.executeCommand(commands[chosen.does.command].id, {
      folder: target.mission.folder,
      missionId: target.mission.mission_id,
      taskId: block.task_id,
    } satisfies TargetArgument);
    return;
  }
  const { outcome, label, refused } = chosen.does.outcome;
  if (refused) {
    void alarm(ui`${label} is not possible now. ${refused.reason} Next: ${ui.join(refused.next, ' · ')}`);
    return;
  }
  const asked = outcome === 'ask-user' ? await askQuestion(title, block, chosen.does.outcome.description) : {};
  if (!asked) return;
  const reason = await askReason(title, ui`Task ${block.task_id}: ${label}.`, target);
  const command = { type: 'ResolvePacket', packet_id: block.packet_id, outcome, ...asked } as const;
  await decide(composition, title, target, command, reason);
}

async function askQuestion(
  title: string,
  { task_id }: BlockView,
  description: string,
): Promise<{ readonly question: string } | undefined> {
  const question = await askText({
    title,
    prompt: ui`What is asked about task ${task_id}? ${description}`,
    refuses(text) {
      if (text.trim() === '') return ui`A question needs words.`;
      return text.length > questionLimits.text ? ui`At most ${questionLimits.text} characters.` : null;
    },
  });
  return question === undefined ? undefined : { question };
}
