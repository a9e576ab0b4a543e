import type { ReasonCategory, StructuralCode } from './codes';

/** Why a task blocked, and what a person does next. */
export const reasonMeanings: Readonly<Record<ReasonCategory, { readonly meaning: string; readonly next: string }>> = {
  child_exit_nonzero: {
    meaning: 'The worker ended without success, or not at all.',
    next: 'Read the end of its output in the packet, mend the cause, retry the task.',
  },
  missing_handoff: {
    meaning: 'The worker left nothing that shows its work.',
    next: 'Retry the task; give it a verify command if it is not meant to change files.',
  },
  // Only packets of other authors say it. This runner compares with the workspace before the task, so changes from before
  // block nothing. What a worker leaves uncommitted is its result; another change is external_change or
  // verify_changed_files.
  dirty_worktree: {
    meaning: 'The workspace was not in the state that the task needs.',
    next: 'Bring it into that state and retry.',
  },
  worker_reported_blocked: {
    meaning: 'The worker says that it cannot go on, or was stopped before it broke a rule.',
    next: 'Read what it says, supply what is missing, retry the task.',
  },
  validator_report_failed: { meaning: 'A validator refuses the work.', next: 'Read its report and retry the task.' },
  missing_validation_report: {
    meaning: 'A validator wrote no report.',
    next: 'Retry the task, so that it validates again.',
  },
  no_runnable_pending_work: {
    meaning: 'Tasks are left, and each waits for one that cannot be done.',
    next: 'Retry the blocked tasks they wait for, or cancel the mission.',
  },
  invalid_handoff: {
    meaning: 'The result of the worker does not have the required form.',
    next: 'Look at the findings in the recovery packet and retry the task.',
  },
  task_timeout: {
    meaning: 'The worker gave no sign of life, or ran longer than it may.',
    next: 'Retry the task, after a new plan with other limits where they are too short.',
  },
  verification_failed: {
    meaning: 'A verify command failed, or a claim of the worker was not what was observed.',
    next: 'Look at the output; mend the cause and validate again, or retry the task.',
  },
  external_change: {
    meaning:
      'A change has no known author, or stands where the worker wrote, so what it wrote was not kept; or a file could not be compared.',
    next: 'Put it back, or accept it by name; then validate again or retry. Retry where what the worker wrote was not kept.',
  },
  permission_recovery_exhausted: {
    meaning: 'The worker lacks a permission that only a person may give.',
    next: 'Give it, in the plan or on the machine, and retry the task.',
  },
  awaiting_user: {
    meaning: 'A person stopped the task, or has to answer something before it goes on.',
    next: 'Answer what it asks, retry the task, or cancel the mission.',
  },
  budget_exceeded: {
    meaning: 'The budget of the plan is used up.',
    next: 'Approve a plan with another budget, or cancel the mission.',
  },
  assignment_refused: {
    meaning: 'What the worker would have been given breaks a rule; nothing was launched.',
    next: 'Correct what the sentence names in a new plan.',
  },
  untrusted_context: {
    meaning: 'Text from outside holds a secret or an injection.',
    next: 'Take it out, replace the key where it is valid, retry the task.',
  },
  verify_changed_files: {
    meaning: 'Verify commands changed what they must leave alone.',
    next: 'Put it back, or accept it by name; then validate again or retry.',
  },
  run_not_recorded: {
    meaning: 'What the worker did could not be recorded; this says nothing about its work.',
    next: 'Look at .mission-control and at the space on its disk, then retry the task.',
  },
  rate_limited: {
    meaning: 'The provider of an agent accepts no more requests, and its CLI gave up waiting.',
    next: 'Wait until the limit ends, then retry the task. The packet has the time, if the CLI gave it.',
  },
  resource_limit: {
    meaning: 'Its processes took more than the plan lets one launch take, and were ended.',
    next: 'Find out what ran away; retry the task, after a new plan with other `execution.limits` where they are too low.',
  },
  project_context: {
    meaning: 'ai.project.json, which the intent of the task requires, is missing, not valid, or changed meanwhile.',
    next: 'Write or mend it (`mission context new`, `mission check ai-project ai.project.json`), then retry the task.',
  },
  model_refused: {
    meaning: 'The model policy allows no model for the task, or another model ran than was selected.',
    next: 'Choose another model in the settings of the CLI, then retry the task. A changed plan or policy counts for a new mission.',
  },
  profile_limit: {
    meaning: 'The task has used what the capability profile of its model allows.',
    next: 'Look at what it did; retry the task to go on for as much again, or validate again where its result is there.',
  },
  stray_write: {
    meaning: 'The worker wrote outside its approved paths, into a layer that is gone: nothing of it was kept.',
    next: 'Validate again, which judges the work without it; or revise the plan with these paths; or retry the task.',
  },
  layer_unread: {
    meaning:
      'Not all that the worker wrote into its layer could be read or put into the workspace; this says nothing about its work.',
    next: 'Look at what the sentence names, and mend it; then validate again, which judges what is in the workspace, or retry the task.',
  },
  launch_failed: { meaning: 'The program could not be started.', next: 'Install or correct it, then retry the task.' },
};

/** How a mission, a task of another executor or the runner ended. */
export const endMeanings = {
  SCOPE_VIOLATION: {
    meaning: 'A task changed something outside its approved paths; the mission fails, and nothing is reverted.',
    next: 'Look at every change that the evidence names and put back what does not belong; then revise the plan (`mission plan revise`), approve and run the revision.',
  },
  NON_COMPLIANT: {
    meaning: 'A rule of the process was not kept, or a budget is used up.',
    next: 'Read what the sentence names; resume the mission where it is paused, else revise the plan.',
  },
  PLAN_HASH_MISMATCH: {
    meaning: 'The plan file is not the one that was locked.',
    next: 'Find out who changed it, put the locked bytes back, and run the plan again.',
  },
  INVARIANT_BROKEN: {
    meaning: 'Mission Control made a mistake.',
    next: 'Report it with the journal of the mission.',
  },
  ACCEPTANCE_FAILED: {
    meaning: 'A success criterion is not met.',
    next: 'Look at the evidence, correct the work or the plan, and run it again.',
  },
  DEPENDENCY_NOT_MET: {
    meaning: 'No open task can run.',
    next: 'Decide about the blocked tasks, or cancel the mission.',
  },
  CANCELLED: { meaning: 'A person canceled the mission.', next: 'Run the plan again when it is wanted.' },
  SUPERSEDED: {
    meaning: 'A revision of the plan was approved, which goes on in its place.',
    next: 'Run the revision.',
  },
  MOVED: {
    meaning: 'A person gave the run away with a handoff, so it ended here.',
    next: 'Resume that handoff in the place that takes the run.',
  },
  TASK_FAILED: {
    meaning: 'A task of another executor failed, and the execution with it.',
    next: 'Plan the repair as a new plan.',
  },
  TASK_SKIPPED: { meaning: 'A task of another executor was skipped.', next: 'Nothing, if that was meant.' },
  EVIDENCE_UNWRITABLE: {
    meaning: 'The journal of the mission is too large for a handoff.',
    next: 'Finish the mission here.',
  },
  LEDGER_INCONSISTENT: {
    meaning: 'Ledger, locks, blockers, dependencies or events contradict each other.',
    next: 'Verify the journal; cancel the mission when it does not hold.',
  },
  UNTRUSTED_CONTEXT_BLOCK: {
    meaning: 'Something that would be handed over holds a secret.',
    next: 'Replace the key where it is valid. Take it out of a file of the workspace and export again, or revise the plan.',
  },
  WRITE_FAILED: {
    meaning: 'The runner stopped, because an event could not be recorded.',
    next: 'Mend what the sentence names, then resume the mission.',
  },
  FENCED: {
    meaning: 'The runner stopped, because another process runs the missions now.',
    next: 'Nothing; that process goes on.',
  },
  STALE_SEQUENCE: {
    meaning: 'The runner stopped, because the journal is not the one it wrote.',
    next: 'Verify the journal before anything is resumed.',
  },
} as const satisfies Readonly<
  Partial<Record<StructuralCode, object>> & Record<string, { readonly meaning: string; readonly next: string }>
>;

/**
 * Why a session of the runtime orchestrator decided nothing, or its decision does not count. A person decides then, by
 * `next`.
 */
export const sessionMeanings = {
  NON_COMPLIANT: {
    meaning: 'The session, or a process in its name, did what it must not do.',
    next: 'Look at what the sentence names, put back what should not be there, then decide about the packet.',
  },
  PACKET_CLOSED: {
    meaning: 'A person decided or stopped the mission before the decision of the session counted.',
    next: 'Nothing; what the person decided counts.',
  },
  CONTEXT_CHANGED: {
    meaning: 'Another program changed the workspace while the session ran.',
    next: 'Look at what changed, then decide about the packet.',
  },
  MODEL_REFUSED: {
    meaning: 'The model policy does not let that model decide.',
    next: 'Decide about the packet; name another model with `--orchestrator-model` for the next run.',
  },
  ORCHESTRATOR_UNAVAILABLE: {
    meaning: 'There was no session, or it ended without a decision.',
    next: 'Decide about the packet; end the processes of the session by hand where the sentence names them.',
  },
  ORCHESTRATOR_LIMIT: {
    meaning: 'The session asked for too much, or the budget of the plan is used up.',
    next: 'Decide about the packet.',
  },
  TASK_TIMEOUT: {
    meaning: 'The session took too long, or gave no sign of life.',
    next: 'Decide about the packet.',
  },
  LAUNCH_REFUSED: {
    meaning: 'The supervisor of the session was not started.',
    next: 'Decide about the packet.',
  },
} as const satisfies Readonly<Record<string, { readonly meaning: string; readonly next: string }>>;
