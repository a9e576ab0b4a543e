import assert from 'node:assert/strict';
import type { MissionCommand } from '../../../src/contracts/commands/missionCommand';
import type { MissionView } from '../../../src/contracts/page/missionView';
import { commandStage, type CommandStage } from '../../../src/extension/views/missionFacts';
import { liveWorker, missionView } from '../sampleViews';

const pause: MissionCommand = { type: 'PauseMission' };
const stop: MissionCommand = { type: 'StopTask', task_id: 'T2' };
const cancel: MissionCommand = { type: 'CancelMission' };
const attention = { code: 'EVIDENCE_UNWRITABLE', reason: 'A disk is full.', key: 'k' };
const stopping = [liveWorker({ task_id: 'T2', stopping: true })];
const orchestrator = {
  worker: 'claude',
  session: { task_id: 'T2', launch_id: 'l', run_dir: 'r', pid: 7 },
} as const;

const cases: Readonly<Record<string, readonly [MissionCommand, Partial<MissionView>, CommandStage]>> = {
  'a pause, while what runs goes on': [pause, { pausing: true }, 'coming'],
  'a pause, once nothing runs': [pause, { status: 'paused' }, 'happened'],
  'a pause that a person took back': [pause, {}, 'happened'],
  'a pause whose process is gone': [pause, { pausing: true, interrupted: true }, 'stuck'],
  'a stop, while its worker ends': [stop, { lanes: stopping }, 'coming'],
  'a stop of an orchestrator that looks at a block': [stop, { orchestrator }, 'coming'],
  'a stop, once its lane is gone': [stop, { lanes: [liveWorker({ task_id: 'T1', stopping: true })] }, 'shown'],
  'a stop whose task runs again': [stop, { lanes: [liveWorker({ task_id: 'T2' })] }, 'shown'],
  'a stop whose processes are not proven gone': [stop, { lanes: stopping, attention }, 'stuck'],
  'a cancel, before its evidence is written': [cancel, { execution: 'EXECUTING' }, 'coming'],
  'a cancel, once its evidence is written': [cancel, { execution: 'REPORTED' }, 'shown'],
  'a cancel whose evidence cannot be written': [cancel, { execution: 'EXECUTING', attention }, 'stuck'],
  'a decision that counts at once': [{ type: 'RetryTask', task_id: 'T2' }, { lanes: stopping }, 'at_once'],
};

describe('how far what an accepted command asked for is', () => {
  for (const [title, [command, changes, expected]] of Object.entries(cases))
    it(`${expected}: ${title}`, () => {
      assert.equal(commandStage(command, missionView(changes)), expected);
    });
});
