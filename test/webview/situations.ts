import type { Situation } from '../scenarios/scenario';
import { invoices } from './invoices';

export const asking = invoices({ 'api#1': { claim: 'blocked_asking' } });

export const askingChoices = invoices(
  { 'api#1': { claim: 'invalid' } },
  {
    script: [
      {
        at: 'idle',
        command: {
          type: 'ResolvePacket',
          packet_id: 'last',
          outcome: 'ask-user',
          question: 'Which format do customers download?',
          choices: ['CSV', 'JSON', 'Both, CSV first'],
        },
        name: 'bob',
        reason: 'the worker guessed',
      },
    ],
  },
);

export const remembering: Situation = {
  tasks: [
    { task_id: 'store', description: 'Decide where invoices are kept', worker: 'claude', intent: 'architecture' },
    { task_id: 'api', description: 'Serve /invoices', paths: ['src/api'], depends_on: ['store'] },
  ],
  world: {
    'store#1': {
      remembers: ['architecture/store = a database', 'architecture/format = JSON'],
      remembered: ['architecture/store = files, no database'],
    },
  },
};

export const superseded = invoices(
  {},
  {
    script: [
      {
        at: { effect: 'awaitWorker', task: 'api' },
        command: { type: 'SupersedeMission', plan_id: 'invoices-r2', plan_sha256: 'B'.repeat(64) },
        reason: 'The page needs an export as well',
      },
    ],
  },
);

const outside = 'workingDir: Path is outside allowed working directories';
export const relaunched: Situation = {
  recovery_allow: ['add_directory'],
  recovery_directories: ['/srv/fixtures', '/srv/snapshots'],
  tasks: [{ task_id: 'e2e', description: 'End-to-end test', worker: 'claude', paths: ['test/e2e'] }],
  world: {
    'e2e#1': {
      changes: [],
      launches: [
        { denied: [{ path: '/srv/fixtures/a.json', reason: outside }], end: { session_id: 's1' } },
        { denied: [{ path: '/srv/snapshots/b.json', reason: outside }], end: { session_id: 's1' } },
        { denied: [{ path: '/srv/secrets/c.json', reason: outside }], end: { session_id: 's1' } },
      ],
    },
  },
};

export const milestones: Situation = {
  milestones: [
    {
      id: 'M1',
      title: 'The service answers',
      validate: { worker: 'claude', assertions: ['GET /invoices answers 200.', 'An unknown invoice is a 404.'] },
    },
    { id: 'M2', title: 'Customers see it' },
  ] as NonNullable<Situation['milestones']>,
  tasks: [
    { task_id: 'api', description: 'Serve /invoices', paths: ['src/api'], milestone: 'M1' },
    { task_id: 'ui', description: 'Invoice page', paths: ['src/ui'], milestone: 'M2' },
  ],
  world: { 'api#1': { changes: ['src/api/invoices.ts'] }, 'validate-M1#1': { claim: 'report_fail' } },
};

export const validated: Situation = {
  ...milestones,
  world: { 'api#1': { changes: ['src/api/invoices.ts'] }, 'ui#1': { changes: ['src/ui/InvoicePage.tsx'] } },
};

export const orchestrated = invoices(
  { 'api#1': { end: { exit_code: 1, stderr_tail: 'no space left' } } },
  { orchestrator: { worker: 'claude', model: null } },
);
