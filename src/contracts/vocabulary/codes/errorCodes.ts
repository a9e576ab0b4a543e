/** The 14 codes of Fresh Context in words; handoff/<n>/error-codes.md is generated from them. Source: seed 003. */
export const errorCodes = {
  SCHEMA_INVALID: {
    family: 'contract',
    meaning: 'A value has the wrong type or form.',
    recovery: 'Correct the document; nothing is tried again before that.',
  },
  MISSING_REQUIRED_INPUT: {
    family: 'contract',
    meaning: 'A required input is absent or empty.',
    recovery: 'Supply the missing input.',
  },
  UNKNOWN_SCHEMA_VERSION: {
    family: 'contract',
    meaning: 'The document follows a major version that is not known here.',
    recovery: 'Use a version of this product that knows it, or convert the document.',
  },
  LOCK_CONFLICT: {
    family: 'lock',
    meaning: 'A path is, contains or lies in a path that is locked.',
    recovery: 'Write the paths in their normal form, release locks of ended tasks, wait for the holder, check again.',
  },
  SCOPE_VIOLATION: {
    family: 'lock',
    meaning: 'A change lies outside the lock scope or inside the forbidden scope.',
    recovery: 'Change the task or its scope; nothing is tried again before that.',
  },
  INVALID_TRANSITION: {
    family: 'state',
    meaning: 'A task cannot go from its state to that state.',
    recovery: 'Read the ledger again and ask for a transition it allows.',
  },
  DEPENDENCY_NOT_MET: {
    family: 'state',
    meaning: 'A task that must be done before is not done.',
    recovery: 'Finish the dependency first, or plan again without it.',
  },
  CONCURRENCY_CONFLICT: {
    family: 'state',
    meaning: 'Another process changed the row in the meantime.',
    recovery: 'Read again and retry after 0, 100, 250 and 500 ms; then plan serially.',
  },
  TASK_TIMEOUT: {
    family: 'state',
    meaning: 'A task in progress gave no sign of life for longer than its timeout.',
    recovery: 'Block the task, release its locks; back to todo only with refreshed context and lock scope.',
  },
  ACCEPTANCE_FAILED: {
    family: 'quality',
    meaning: 'A criterion failed or lacks evidence.',
    recovery: 'Correct the work or show the evidence.',
  },
  LEDGER_INCONSISTENT: {
    family: 'quality',
    meaning: 'Ledger, locks, blockers, dependencies or events contradict each other.',
    recovery: 'Find out which of them is true, and correct the others.',
  },
  NON_COMPLIANT: {
    family: 'process',
    meaning: 'A rule of the role or of the process was not kept.',
    recovery: 'Let a person or the orchestrator decide; nothing is tried again before that.',
  },
  MISSING_VALIDATOR: {
    family: 'process',
    meaning: 'A validator that has to judge this is not available.',
    recovery: 'Make it available; the run is blocked until then.',
  },
  UNTRUSTED_CONTEXT_BLOCK: {
    family: 'process',
    meaning: 'Text that came from outside holds a secret or an injection.',
    recovery: 'Redact it, validate again, hand over the least context that is needed.',
  },
} as const;
