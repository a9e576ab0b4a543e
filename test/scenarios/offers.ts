import assert from 'node:assert/strict';
import type { MissionCommand } from '../../src/contracts/commands/missionCommand';
import { commandOffers } from '../../src/core/mission/commandTable';
import { rowOf, type Mission } from '../../src/core/model/state';

/** What a program offers a person is what the core takes: by a command of a person who may, and what became of it. */
export function assertOffered(before: Mission, command: MissionCommand, ownerless: boolean, code: string): void {
  if (command.type === 'ResolvePacket') return;
  const offer = commandOffers(before, ownerless)[command.type];
  const offered = typeof offer === 'boolean' ? offer : 'task_id' in command && offer.includes(command.task_id ?? '');
  const taken = code === 'OK';
  const told = `${JSON.stringify(command)} was ${offered ? '' : 'not '}offered, and the answer is ${code}`;
  switch (command.type) {
    // A block may be acknowledged as well, and is not offered: it has commands of its own.
    case 'Acknowledge': {
      assert.ok(taken || !offered, told);
      return;
    }
    // The same revision once more changes nothing; which one asks is judged with the command.
    case 'SupersedeMission': {
      assert.ok(offered || !taken || before.superseded !== null, told);
      return;
    }
    // Of a task that runs again they may be accepted as well; a program has nothing to show of it yet.
    case 'AcceptChanges': {
      assert.ok(offered || !taken || rowOf(before, command.task_id).status !== 'blocked', told);
      return;
    }
    // Dependants, packets, folders, answers and what runs are judged with the command.
    case 'SkipTask':
    case 'UndoAttempt':
    case 'CompleteIntervention':
    case 'AnswerQuestion':
    case 'ConfirmMemory':
    case 'ReviseMetadata':
    case 'GrantDirectory': {
      assert.ok(offered || !taken || ('task_id' in command && command.task_id === null), told);
      return;
    }
    case 'ExportHandoff': {
      assert.ok(command.move ? offered || !taken : offered === taken, told);
      return;
    }
    case 'PauseMission':
    case 'CancelMission':
    case 'StopTask':
    case 'RetryTask':
    case 'RerunValidation': {
      assert.equal(offered, taken, told);
      return;
    }
    // What is missing of an end is written by a resume, which no program has to offer.
    case 'ResumeMission': {
      assert.ok(offered === taken || (taken && (before.ending ?? before.criteria ?? before.moved)), told);
      return;
    }
  }
}
