import { readFileSync } from 'node:fs';
import path from 'node:path';
import { headerDocument } from '../../../src/engine/effects/write/writeDocuments';
import { documentText } from '../../../src/base/json';
import type { DocumentKind } from '../../../src/engine/plans/recognise';
import { documentedPacket } from '../../contracts/recoveryPacketSample';
import { documentedHandoff, documentedScrutiny } from '../../contracts/sourceSamples';
import { sampleAttempt, sampleHeader, sampleTask } from '../../core/evidence/sampleFacts';
import { sampleOutput } from '../../core/freshContext/samples';

export type SampleDocument = Readonly<Record<string, unknown>>;

const fixture = (name: string): SampleDocument =>
  JSON.parse(readFileSync(path.resolve('test/fixtures', name), 'utf8')) as SampleDocument;
const at = '2026-01-31T20:00:00.000Z';
const id = '3f2b8c1d-5e6f-4a7b-8c9d-0e1f2a3b4c5d';
const launch = { schema_version: '1.0.0', launch_id: 'L1', nonce: '0'.repeat(32) };

/** A valid document of every kind. */
export const sampleDocuments: Readonly<Record<DocumentKind, SampleDocument>> = {
  plan: fixture('plans/base.json'),
  header: JSON.parse(headerDocument(sampleHeader())) as SampleDocument,
  'task-evidence': JSON.parse(documentText(sampleTask({ attempts: [sampleAttempt()] }))) as SampleDocument,
  'recovery-packet': documentedPacket(),
  'worker-handoff': documentedHandoff,
  'validation-report': documentedScrutiny,
  result: fixture('fresh-context/result/sound.json'),
  assignment: fixture('fresh-context/assignment/sound.json'),
  handoff: fixture('fresh-context/handoff/sound.json'),
  ledger: fixture('fresh-context/ledger/sound.json'),
  'ai-project': fixture('ai-project/sound.json'),
  'model-policy': {
    schema_version: '1.0.0',
    models: [{ id: 'house', worker: 'claude', names: ['house-*'], tier: 'A', profile: 'claude_high' }],
    routing: { code_generation: { tiers: ['A', 'B'] } },
    refuse: ['*:free'],
  },
  locks: fixture('fresh-context/locks/no-locks.json'),
  'orchestrator-output': sampleOutput(),
  milestone: {
    schema_version: '1.0.0',
    plan_id: 'P1',
    plan_sha256: 'A'.repeat(64),
    mission_id: 'P1-1',
    run_id: 'r',
    milestone_id: 'M1',
    title: 'First',
    task_id: 'validate-M1',
    mode: 'scrutiny',
    assertions: [{ id: 'A1', text: 'It works.' }],
    tasks: [{ task_id: 'T1', status: 'SUCCESS' }],
    validations: 1,
    failures: 0,
    failure_limit: 5,
    accepted: { attempt: 1, at: '2026-01-01T00:00:00.000Z', tree_sha256: 'B'.repeat(64), head: null },
    reason: 'verified',
  },
  'task-event': {
    task_id: 'T-1',
    event_type: 'state_transition',
    from_state: 'todo',
    to_state: 'in_progress',
    actor: 'ann',
    reason: 'began',
    created_at: at,
  },
  'launch-ticket': {
    ...launch,
    mission_id: 'M',
    run_id: id,
    task_id: 'T1',
    fence: 1,
    issued_at: at,
    expires_at: at,
    worker: 'command',
    argv: ['node'],
    cwd: '/w',
    env: {},
    env_names: [],
    heartbeat_interval_seconds: 30,
    max_runtime_seconds: 60,
    grace_seconds: 5,
  },
  'exit-record': {
    ...launch,
    reason: 'exited',
    exit_code: 0,
    signal: null,
    started_at: at,
    ended_at: at,
    tree_gone: true,
    survivors: [],
    leftovers: [],
    error: null,
    stdout: null,
    stderr: null,
    stderr_tail: '',
    summary: null,
  },
  'inbox-command': {
    schema_version: '1.0.0',
    id,
    mission_id: 'M',
    command: { type: 'PauseMission' },
    actor: { kind: 'human', name: 'ann' },
    reason: 'lunch',
    expected_seq: null,
    from_worker: false,
    token_sha256: null,
    sent_at: at,
  },
  'inbox-answer': {
    schema_version: '1.0.0',
    id,
    accepted: true,
    code: 'OK',
    reason: 'done',
    next: [],
    answered_at: at,
  },
};
