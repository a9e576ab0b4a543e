import type { BlockView } from '../../src/contracts/page/blockView';
import type { CommandOffers, MissionControlView, MissionView } from '../../src/contracts/page/missionView';
import type { LiveWorkerView } from '../../src/contracts/page/liveView';
import { needOf } from '../../src/core/view/needs/needs';
import type { MissionHere } from '../../src/extension/folder/missionFolders';

const noOffers: CommandOffers = {
  ...{ PauseMission: false, ResumeMission: false, CancelMission: false, Acknowledge: false, ExportHandoff: false },
  ...{ SupersedeMission: false },
  ...{
    StopTask: [],
    RetryTask: [],
    RerunValidation: [],
    AcceptChanges: [],
    UndoAttempt: [],
    SkipTask: [],
    ReviseMetadata: [],
    GrantDirectory: [],
    CompleteIntervention: [],
    AnswerQuestion: [],
    ConfirmMemory: [],
  },
};

/** A running mission with two tasks, the first done; what a test is about is given as changes. */
export function missionView(changes: Partial<MissionView> = {}): MissionView {
  const task = {
    description: 'A step.',
    worker: 'command',
    code: null,
    reason: '',
    attempts: 1,
    paths: ['out'],
    depends_on: [],
    started_at: null,
    ended_at: null,
    details: [],
    changed: [],
    confinement: null,
    verified: { passed: 0, ran: 0, total: 0 },
  } as const;
  const view = {
    mission_id: 'p-20260101T000000Z-aaaaaa',
    run_id: '00000000-0000-4000-8000-000000000000',
    plan_id: 'p',
    goal_id: 'G',
    plan_path: 'docs/plans/PLAN_p.json',
    plan_sha256: 'A'.repeat(64),
    approval: { here: null, source: 'journal', by: 'Ada', at: '2026-01-01T00:00:00Z' },
    execution: 'EXECUTING',
    status: 'running',
    interrupted: false,
    headline: 'Task T2 runs.',
    started_at: '2026-01-01T00:00:00.000Z',
    updated_at: '2026-01-01T00:00:01.000Z',
    ended_at: null,
    tasks: [
      { ...task, task_id: 'T1', status: 'done' },
      { ...task, task_id: 'T2', status: 'in_progress' },
    ],
    done: 1,
    live: changes.lanes?.[0] ?? changes.live ?? null,
    lanes: changes.live ? [changes.live] : [],
    lane_limit: 1,
    blocks: [],
    offers: noOffers,
    ending: null,
    acknowledged: false,
    attention: null,
    recoveries: [],
    success_criteria: [],
    usage: { input_tokens: null, output_tokens: null, cost_usd: null },
    evidence_dir: 'docs/ops/executions/p',
    events: [],
    last_seq: 10,
    ...changes,
  } as const;
  return { needs: needOf(view), ...view };
}

export function attention(code: string | null): NonNullable<MissionView['attention']> {
  return { code, reason: 'Why it stands still.', key: `${code ?? 'processes'} 1` };
}

export function liveWorker(changes: Partial<LiveWorkerView> = {}): LiveWorkerView {
  return {
    task_id: 'T2',
    attempt: 1,
    launch: 1,
    purpose: 'worker',
    worker: 'command',
    stage: 'running',
    doing: 'edits files',
    run_dir: '.mission-control/missions/m/runs/1-T2',
    session_id: null,
    model: null,
    confinement: 'none',
    pid: 4711,
    started_at: '2026-01-01T00:00:00.000Z',
    last_progress_at: '2026-01-01T00:00:01.000Z',
    output_bytes: 10,
    last_output_at: null,
    output_lines: null,
    stopping: false,
    ...changes,
  };
}

export function blockView(changes: Partial<BlockView> = {}): BlockView {
  return {
    packet_id: 'p-20260101T000000Z-aaaaaa.p1',
    task_id: 'T2',
    attempt: 1,
    state: 'open',
    code: 'ACCEPTANCE_FAILED',
    category: 'child_exit_nonzero',
    reason: 'The worker exited with 3.',
    details: [],
    packet_path: '.mission-control/missions/m/recovery-packets/1.json',
    run_dir: '.mission-control/missions/m/runs/1-T2',
    issued_at: '2026-01-01T00:00:02.000Z',
    allowed_outcomes: ['retry-repair', 'leave-blocked'],
    acceptable: [],
    ways: [],
    ...changes,
  };
}

export function completed(changes: Partial<MissionView> = {}): MissionView {
  return missionView({
    execution: 'REPORTED',
    status: 'completed',
    ending: { outcome: 'COMPLETED', code: null, reason: 'All tasks are done.', cancelled: false },
    ...changes,
  });
}

export function failed(changes: Partial<MissionView> = {}): MissionView {
  return missionView({
    execution: 'REPORTED',
    status: 'failed',
    ending: { outcome: 'FAILED', code: 'SCOPE_VIOLATION', reason: 'a.txt lies outside.', cancelled: false },
    ...changes,
  });
}

/** Makes the views that the only folder of a window has. */
export function here(
  mission: MissionView,
  where: Partial<Pick<MissionHere, 'folder' | 'workspace'>> = {},
): MissionHere {
  return { ...mission, folder: 'file:///w', workspace: null, ...where };
}

export function controlView(
  missions: readonly MissionView[],
  owner: MissionControlView['owner'] = 'none',
): MissionControlView {
  return {
    schema_version: '1.0.0',
    sequence: 1,
    generated_at: '2026-01-01T00:00:03.000Z',
    workspace: 'w',
    owner,
    missions,
    unreadable: [],
  };
}
