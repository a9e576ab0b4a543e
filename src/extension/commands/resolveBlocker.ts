import { commands as vscodeCommands } from 'vscode';
import { lineText, standingLines, type BlockView } from '../../contracts/page/blockView';
import { questionLimits } from '../../contracts/vocabulary/recovery';
import { ui } from '../../base/text/marked/ui';
import type { Composition } from '../compose';
import type { PlanEdit } from '../../contracts/vocabulary/steps';
import { commands, type CommandName } from '../registry/registry';
import { blockChoices, commandOfStep } from '../views/blockChoices';
import { isBlocked } from '../views/missionFacts';
import { pick } from '../window/pick';
import { alarm, askText } from '../window/ui';
import { decide } from './ask/decisions';
import { blockPrompt, chooseBlock, chooseMission, namedFirst, type Target, type TargetArgument } from './ask/targets';

export async function resolveBlocker(composition: Composition, argument?: unknown): Promise<void> {
  const { title } = commands.resolveBlocker;
  const question = { title, none: 'No task is blocked.' };
  const target = await chooseMission(composition, { ...question, fits: isBlocked }, argument);
  const block = target && (await chooseBlock(target, target.mission.blocks));
  if (!block) return;
  const placeHolder = ui`What is done about task ${block.task_id}?`;
  const standing = standingLines(block, target.mission.interrupted).map(lineText);
  const prompt = blockPrompt(block, [...standing, ...block.details]);
  const choices = namedFirst(blockChoices(block, target.mission), argument, ({ label }) => label);
  const chosen = await pick(choices, { title, placeHolder, prompt, matchOnDetail: true });
  if (!chosen) return;
  const { does } = chosen;
  if (typeof does === 'string') return call(does, target, block);
  const { step, outcome, label, refused } = does;
  if (refused)
    return void alarm(ui`${label} is not possible now. ${refused.reason} Next: ${ui.join(refused.next, ' · ')}`);
  if (outcome) {
    const asked = outcome === 'ask-user' ? await askQuestion(title, block, does.does) : {};
    if (!asked) return;
    const command = { type: 'ResolvePacket', packet_id: block.packet_id, outcome, ...asked } as const;
    return decide(composition, target, command, ui`Task ${block.task_id}: ${label}.`);
  }
  // The value stands in the step, so nothing but the reason is asked.
  if (step.command === 'packet revise' && step.args.value !== null) {
    const changes = { [step.args.field]: step.args.value };
    const command = { type: 'ReviseMetadata', task_id: block.task_id, packet_id: null, changes } as const;
    return decide(composition, target, command, ui`Task ${block.task_id}: ${label}.`);
  }
  const command = commandOfStep(step.command);
  if (command) await call(command, target, block, step.command === 'plan revise' ? step.args.edit : undefined);
}

async function call(command: CommandName, target: Target, block: BlockView, edit?: PlanEdit): Promise<void> {
  await vscodeCommands.executeCommand(commands[command].id, {
    folder: target.mission.folder,
    missionId: target.mission.mission_id,
    taskId: block.task_id,
    ...(edit && { edit }),
  } satisfies TargetArgument & { readonly edit?: PlanEdit });
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
