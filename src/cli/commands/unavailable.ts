import type { CommandSpec } from '../shell/command';
import { exitCodes } from '../shell/exitCodes';
import { decisionOptions } from './human';

/** A command that later versions carry out; this one refuses it. */
export const answer = later('answer', 'MISSION TEXT', 'Answer a worker’s question.');

function later(name: string, usage: string, summary: string): CommandSpec {
  return {
    name,
    usage,
    takes: [0, Infinity],
    summary: `${summary} (later version)`,
    options: {
      ...decisionOptions,
      mission: { value: 'MISSION', help: 'The mission.' },
      workspace: { value: 'DIR', help: 'The workspace folder.' },
    },
    store: false,
    run: (call) =>
      Promise.resolve(
        call.out.refuse(
          {
            code: 'OUTCOME_UNAVAILABLE',
            reason: `mission ${name} is not available in this version.`,
            next: ['mission status'],
          },
          exitCodes.refused,
        ),
      ),
  };
}
