/** Documented samples of the source project of seed 000: a worker's handoff, and what a validator reports. */
export const documentedHandoff = {
  featureId: 'feature-login',
  status: 'complete',
  summary: 'Login form with validation.',
  commit: '4b825dc642cb6eb9a060e54bf8d69288fbee4904',
  implemented: ['form', 'validation'],
  leftUndone: [],
  filesChanged: ['src/login.ts'],
  commandsRun: [{ command: 'npm test', exitCode: 0, notes: 'all green' }, { command: 'git status' }],
  issuesDiscovered: [],
  procedureCompliance: {
    readMissionContext: true,
    checkedGitStatusBeforeWork: true,
    ranRequiredValidation: true,
    committedChanges: true,
    updatedHandoff: true,
  },
  risks: ['none'],
};

export const documentedScrutiny = {
  status: 'fail',
  summary: 'The password is logged.',
  featureId: 'feature-login',
  commandsRun: [{ command: 'npm test', exitCode: 0 }],
  assertions: [
    { assertionId: 'A1', status: 'pass', evidence: 'test login.test.ts passes' },
    { assertionId: 'A2', status: 'fail', evidence: 'server.log line 3' },
  ],
  defects: [
    {
      id: 'D1',
      severity: 'critical',
      title: 'Password in the log',
      description: 'The request is logged whole.',
      reproduction: 'log in, look at server.log',
      suggestedFix: 'redact it',
    },
  ],
  procedureFindings: [
    { id: 'P1', severity: 'minor', title: 'No note', description: 'The worker left no note.', evidence: 'handoff.md' },
  ],
  recommendation: 'fix',
};

export const documentedUserTest = {
  status: 'pass',
  summary: 'A user can log in.',
  featureId: 'milestone-1',
  commandsRun: [{ command: 'npx playwright test', exitCode: 0 }],
};
