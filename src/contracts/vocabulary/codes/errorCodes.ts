/** The 14 codes of Fresh Context, each with its meaning; handoff/<n>/error-codes.md has them. Source: seed 003. */
export const contractMeanings = {
  SCHEMA_INVALID: 'A value has the wrong type or form.',
  MISSING_REQUIRED_INPUT: 'A required input is absent or empty.',
  UNKNOWN_SCHEMA_VERSION: 'The document follows a major version that is not known here.',
  LOCK_CONFLICT: 'A path is, contains or lies in a path that is locked.',
  SCOPE_VIOLATION: 'A change lies outside the lock scope or inside the forbidden scope.',
  INVALID_TRANSITION: 'A task cannot go from its state to that state.',
  DEPENDENCY_NOT_MET: 'A task that must be done before is not done.',
  CONCURRENCY_CONFLICT: 'Another process changed the row in the meantime.',
  TASK_TIMEOUT: 'A task in progress gave no sign of life for longer than its timeout.',
  ACCEPTANCE_FAILED: 'A criterion failed or lacks evidence.',
  LEDGER_INCONSISTENT: 'Ledger, locks, blockers, dependencies or events contradict each other.',
  NON_COMPLIANT: 'A rule of the role or of the process was not kept.',
  MISSING_VALIDATOR: 'A validator that has to judge this is not available.',
  UNTRUSTED_CONTEXT_BLOCK: 'Text that came from outside holds a secret or an injection.',
} as const;

/** What is done about each. */
export const contractSteps: Readonly<Record<keyof typeof contractMeanings, string>> = {
  SCHEMA_INVALID: 'Correct the document; nothing is tried again before that.',
  MISSING_REQUIRED_INPUT: 'Supply the missing input.',
  UNKNOWN_SCHEMA_VERSION: 'Use a version of this product that knows it, or convert the document.',
  LOCK_CONFLICT:
    'Write the paths in their normal form, release locks of ended tasks, wait for the holder, check again.',
  SCOPE_VIOLATION: 'Change the task or its scope; nothing is tried again before that.',
  INVALID_TRANSITION: 'Read the ledger again and ask for a transition it allows.',
  DEPENDENCY_NOT_MET: 'Finish the dependency first, or plan again without it.',
  CONCURRENCY_CONFLICT: 'Read again and retry after 0, 100, 250 and 500 ms; then plan serially.',
  TASK_TIMEOUT: 'Block the task, release its locks; back to todo only with refreshed context and lock scope.',
  ACCEPTANCE_FAILED: 'Correct the work or show the evidence.',
  LEDGER_INCONSISTENT: 'Find out which of them is true, and correct the others.',
  NON_COMPLIANT: 'Let a person or the orchestrator decide; nothing is tried again before that.',
  MISSING_VALIDATOR: 'Make it available; the run is blocked until then.',
  UNTRUSTED_CONTEXT_BLOCK: 'Redact it, validate again, hand over the least context that is needed.',
};

export const contractFamilies: Readonly<Record<keyof typeof contractMeanings, string>> = {
  SCHEMA_INVALID: 'contract',
  MISSING_REQUIRED_INPUT: 'contract',
  UNKNOWN_SCHEMA_VERSION: 'contract',
  LOCK_CONFLICT: 'lock',
  SCOPE_VIOLATION: 'lock',
  INVALID_TRANSITION: 'state',
  DEPENDENCY_NOT_MET: 'state',
  CONCURRENCY_CONFLICT: 'state',
  TASK_TIMEOUT: 'state',
  ACCEPTANCE_FAILED: 'quality',
  LEDGER_INCONSISTENT: 'quality',
  NON_COMPLIANT: 'process',
  MISSING_VALIDATOR: 'process',
  UNTRUSTED_CONTEXT_BLOCK: 'process',
};
