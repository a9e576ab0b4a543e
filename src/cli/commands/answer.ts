import { required, UsageError, type Command } from '../shell/command';
import { workerOptions } from '../owner/session';
import { decideAbout, decisionNeeds, decisionOptions, missionOf } from './human';

export const answer: Command = {
  usage: 'MISSION [--task TASK | --packet ID] (--choice ID | --text TEXT)',
  takes: [required.mission],
  summary: 'Answer what a blocked task asks (ASK_USER); an agent then tries it again with the answer.',
  details: [
    'MISSION is a mission id, or a plan id (its newest mission). Without --task and --packet: its only question. A choice is',
    'one of those that `mission status` shows; some say what happens with the task. Words may always answer in their place.',
    'A choice that says nothing else tries the task again, a no as well. For a command the answer is only recorded.',
    'A process that runs the missions decides it at once; without one, this command takes them over and goes on.',
  ],
  options: {
    task: { value: 'TASK', help: 'The task that asks.' },
    packet: { value: 'ID', help: 'The recovery packet that asks.' },
    choice: { value: 'ID', help: 'One of the choices of the question, by its id or its exact text.' },
    text: { value: 'TEXT', help: 'The answer in words.' },
    ...decisionOptions,
    ...workerOptions,
  },
  needs: decisionNeeds,
  run(call) {
    const choice = call.text('choice');
    const text = call.text('text');
    if ((choice === null) === (text === null))
      throw new UsageError('Give either --choice ID or --text TEXT.', [`mission status ${call.positionals[0] ?? ''}`]);
    const task_id = call.text('task');
    const packet_id = call.text('packet');
    if (task_id !== null && packet_id !== null) throw new UsageError('Give either --task TASK or --packet ID.');
    const command = { type: 'AnswerQuestion', task_id, packet_id, asked: null, choice, text } as const;
    return decideAbout(call, missionOf(call), ({ mission_id }) => ({ mission_id, command, then: 'run' }));
  },
};
