import type { EnvelopeStep } from '../../../contracts/page/panelView';
import { executionStates, type ExecutionState } from '../../../contracts/vocabulary/execution';
import { missionWord } from '../../../base/text/words';
import type { Progress } from '../../model/state';
import { missionStatus } from '../../mission/status';
import { troubleOf } from '../../mission/effects';
import { needOfMission } from '../needs/needs';
import { isPausing } from '../mission/interrupted';

/** The seven states of the execution envelope, in order; broken where the mission failed or does not go on, ended where a person canceled it. */
export function envelopeSteps(mission: Progress, interrupted: boolean): readonly EnvelopeStep[] {
  const failed = mission.ending?.outcome === 'FAILED';
  const last: ExecutionState = failed ? 'FAILED' : 'COMPLETED';
  const states = executionStates.filter((state) => (state !== 'FAILED' && state !== 'COMPLETED') || state === last);
  const reached = new Set(mission.execution_history.map(({ state }) => state));
  const now = states.find((state) => state === mission.execution);
  return states.map((state) => {
    if (state === now && state !== 'REPORTED' && !mission.ending) return present(mission, state, interrupted);
    const broken = broke(mission, state);
    if (broken !== null) return { state, standing: mission.ending?.cancelled ? 'ended' : 'broken', note: broken };
    if (reached.has(state)) return { state, standing: 'done', note: '' };
    const due = state === 'REPORTED' && mission.ending !== null;
    return { state, standing: due && !interrupted ? 'now' : 'todo', note: due && interrupted ? 'not reported' : '' };
  });
}

function present(mission: Progress, state: ExecutionState, interrupted: boolean): EnvelopeStep {
  if (troubleOf(mission)) return { state, standing: 'broken', note: 'the runner stopped' };
  const status = missionStatus(mission);
  const failed = mission.rows.some((row) => row.status === 'failed');
  const pausing = isPausing(mission, interrupted);
  const needs = needOfMission(mission);
  if (needs === 'answer') return { state, standing: 'now', note: missionWord({ status, interrupted, pausing, needs }) };
  if (status === 'blocked' || failed) return { state, standing: 'broken', note: failed ? 'failed' : 'blocked' };
  if (interrupted || pausing || status === 'paused')
    return { state, standing: 'now', note: missionWord({ status, interrupted, pausing, needs }) };
  const lanes = mission.lanes.length;
  return { state, standing: 'now', note: lanes > 1 ? `${lanes} lanes` : '' };
}

/** Null: nothing broke. */
function broke({ ending, cancel, superseded, rows, moved }: Progress, state: ExecutionState): string | null {
  if (ending?.outcome !== 'FAILED') return null;
  if (state === 'FAILED') return ending.cancelled ? (superseded ? 'superseded' : moved ? 'moved' : 'canceled') : '';
  if (state !== 'EXECUTING' || ending.cancelled || cancel) return null;
  const failed = rows.filter((row) => row.status === 'failed').map(({ task }) => task.task_id);
  return failed.length === 0 ? '' : failed.length === 1 ? `${failed[0] ?? ''} failed` : `${failed.length} tasks failed`;
}
