import type { ReasonCategory, StructuralCode } from './codes';

/** Why a task blocked. */
export const reasonMeanings: Readonly<Record<ReasonCategory, string>> = {
  child_exit_nonzero: 'The worker ended without success, or not at all.',
  missing_handoff: 'The worker left nothing that shows its work.',
  // Only packets of other authors say it. This runner compares with the workspace before the task, so changes from before
  // block nothing. What a worker leaves uncommitted is its result; another change is external_change or
  // verify_changed_files.
  dirty_worktree: 'The workspace was not in the state that the task needs.',
  worker_reported_blocked: 'The worker says that it cannot go on.',
  validator_report_failed: 'A validator refuses the work.',
  missing_validation_report: 'A validator wrote no report.',
  no_runnable_pending_work: 'Tasks are left, and each waits for one that cannot be done.',
  invalid_handoff: 'The result of the worker does not have the required form.',
  task_timeout: 'The worker gave no sign of life, or ran longer than it may.',
  verification_failed: 'A verify command failed, or a claim of the worker was not what was observed.',
  external_change:
    'A change has no known author, or stands where the worker wrote, so what it wrote was not kept; or a file could not be compared.',
  permission_recovery_exhausted: 'The worker lacks a permission that only a person may give.',
  awaiting_user: 'A person stopped the task, or has to answer something before it goes on.',
  budget_exceeded: 'The budget of the plan is used up.',
  assignment_refused: 'What the worker would have been given breaks a rule; nothing was launched.',
  untrusted_context: 'Text from outside holds a secret or an injection.',
  verify_changed_files: 'Verify commands changed what they must leave alone.',
  run_not_recorded: 'What the worker did could not be recorded; this says nothing about its work.',
  rate_limited: 'The provider of an agent accepts no more requests, and its CLI gave up waiting.',
  resource_limit: 'Its processes took more than the plan lets one launch take, and were ended.',
  project_context:
    'ai.project.json, which the intent of the task requires, is missing, not valid, or changed meanwhile.',
  model_refused: 'The model policy allows no model for the task, or another model ran than was selected.',
  profile_limit: 'The task has used what the capability profile of its model allows.',
  stray_write: 'The worker wrote outside its approved paths, into a layer that is gone: nothing of it was kept.',
  write_stopped:
    'The runner stopped the worker, because a write outside its approved paths was announced or seen; the difference shows none.',
  layer_unread:
    'Not all that the worker wrote into its layer could be read or put into the workspace; this says nothing about its work.',
  launch_failed: 'The program could not be started.',
};

/** How a mission, a task of another executor or the runner ended. */
export const endMeanings = {
  SCOPE_VIOLATION: 'A task changed something outside its approved paths; the mission fails, and nothing is reverted.',
  NON_COMPLIANT: 'A rule of the process was not kept, or a budget is used up.',
  PLAN_HASH_MISMATCH: 'The plan file is not the one that was locked.',
  INVARIANT_BROKEN: 'Mission Control made a mistake.',
  ACCEPTANCE_FAILED: 'A success criterion is not met.',
  DEPENDENCY_NOT_MET: 'No open task can run.',
  CANCELLED: 'A person canceled the mission.',
  SUPERSEDED: 'A revision of the plan was approved, which goes on in its place.',
  MOVED: 'A person gave the run away with a handoff, so it ended here.',
  TASK_FAILED: 'A task of another executor failed, and the execution with it.',
  TASK_SKIPPED: 'A task of another executor was skipped.',
  EVIDENCE_UNWRITABLE: 'The journal of the mission is too large for a handoff.',
  LEDGER_INCONSISTENT: 'Ledger, locks, blockers, dependencies or events contradict each other.',
  UNTRUSTED_CONTEXT_BLOCK: 'Something that would be handed over holds a secret.',
  WRITE_FAILED: 'The runner stopped, because an event could not be recorded.',
  FENCED: 'The runner stopped, because another process runs the missions now.',
  STALE_SEQUENCE: 'The runner stopped, because the journal is not the one it wrote.',
} as const satisfies Readonly<Partial<Record<StructuralCode, string>> & Record<string, string>>;

/** Why a session of the runtime orchestrator decided nothing, or its decision does not count. */
export const sessionMeanings = {
  NON_COMPLIANT: 'The session, or a process in its name, did what it must not do.',
  PACKET_CLOSED: 'A person decided or stopped the mission before the decision of the session counted.',
  CONTEXT_CHANGED: 'Another program changed the workspace while the session ran.',
  MODEL_REFUSED: 'The model policy does not let that model decide.',
  ORCHESTRATOR_UNAVAILABLE: 'There was no session, or it ended without a decision.',
  ORCHESTRATOR_LIMIT: 'The session asked for too much, or the budget of the plan is used up.',
  TASK_TIMEOUT: 'The session took too long, or gave no sign of life.',
  LAUNCH_REFUSED: 'The supervisor of the session was not started.',
} as const;
