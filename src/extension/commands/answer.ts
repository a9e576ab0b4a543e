import { questionLimits } from '../../contracts/vocabulary/recovery';
import { ui } from '../../base/text/marked/ui';
import { answerWords, askedSentence } from '../../base/text/words';
import type { Composition } from '../compose';
import { commands } from '../registry/registry';
import { blocksFor } from '../views/missionFacts';
import { pick } from '../window/pick';
import { askText } from '../window/ui';
import { decide } from './ask/decisions';
import { openRecoveryPacket } from './opening';
import { chooseBlock, namedFirst, chooseFor } from './ask/targets';

/** Asks the question of a blocked task: the person picks one of its choices, or answers in words. */
export async function answerQuestion(composition: Composition, argument?: unknown): Promise<void> {
  const packet = commands.openRecoveryPacket.title;
  const target = await chooseFor(composition, argument, 'answerQuestion', 'No task asks anything.');
  if (!target) return;
  const { title } = target.question;
  const block = await chooseBlock(target, blocksFor('answerQuestion', target.mission));
  if (!block?.question) return;
  const { task_id } = block;
  const { text: asked, choices, leads_to } = block.question;
  const then = answerWords(leads_to);
  const prompt = [...(then === null ? [] : [then]), askedSentence({ task_id, question: block.question })].join(' ');
  const other = { label: 'Another answer…', detail: 'In your own words.', id: null };
  const whole = { label: packet, detail: 'Read the whole question, and what led to it.', id: null };
  const offered = namedFirst(choices, argument, ({ id }) => id);
  const items = [...offered.map(({ id, text }) => ({ label: text, id })), other, whole];
  const chosen =
    choices.length === 0 ? other : await pick(items, { title, placeHolder: 'Your answer', prompt: ui`${prompt}` });
  if (!chosen) return;
  const { folder, mission_id: missionId } = target.mission;
  if (chosen === whole) return openRecoveryPacket(composition, { folder, missionId, taskId: task_id });
  const text = chosen.id === null ? await askAnswer(title, prompt) : null;
  if (text === undefined) return;
  const command = { type: 'AnswerQuestion', task_id, packet_id: null, asked, choice: chosen.id, text } as const;
  await decide(composition, target, command, ui`${then ?? `Task ${task_id} goes on with your answer.`}`);
}

function askAnswer(title: string, prompt: string): Thenable<string | undefined> {
  return askText({
    title,
    prompt: ui`${prompt}`,
    placeHolder: 'Your answer',
    refuses(text) {
      if (text.trim() === '') return ui`An answer needs words.`;
      return text.length > questionLimits.answer
        ? ui`At most ${questionLimits.answer} characters; name a file that says the rest.`
        : null;
    },
  });
}
