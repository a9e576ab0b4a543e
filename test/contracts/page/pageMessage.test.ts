import assert from 'node:assert/strict';
import { pageMessageOf, type PageMessage } from '../../../src/contracts/page/pageMessage';
import { eventsAtOnce } from '../../../src/contracts/page/panelMessages';

const valid: readonly PageMessage[] = [
  { type: 'ready' },
  { type: 'ready', entry: 'mission a' },
  { type: 'select', entry: `mission a file:///${'deep/'.repeat(400)}` },
  { type: 'select', entry: 'mission a' },
  { type: 'open', entry: 'mission a', target: { kind: 'plan' } },
  { type: 'open', entry: 'mission a', target: { kind: 'plan', task_id: 'T1' } },
  { type: 'open', entry: 'mission a', target: { kind: 'evidence' } },
  { type: 'open', entry: 'mission a', target: { kind: 'packet', packet_id: '0001' } },
  { type: 'open', entry: 'mission a', target: { kind: 'output', packet_id: '0001' } },
  { type: 'open', entry: 'mission a', target: { kind: 'diff' } },
  { type: 'open', entry: 'mission a', target: { kind: 'diff', task_id: 'T1' } },
  { type: 'open', entry: 'mission a', target: { kind: 'terminal', task_id: 'T1' } },
  { type: 'open', entry: 'mission a', target: { kind: 'file', task_id: 'T1', index: 0 } },
  { type: 'range', entry: 'mission a', from: 1, count: eventsAtOnce },
  { type: 'copy', entry: 'mission a', what: 'next' },
  { type: 'walkthrough', step: 'plan' },
];

const forged: readonly (readonly [string, unknown])[] = [
  ['no object', 'ready'],
  ['null', null],
  ['a list', ['ready']],
  ['a command', { type: 'command', command: 'missionControl.cancelMission' }],
  ['a mission command', { type: 'CancelMission', mission_id: 'a' }],
  ['more than a message has', { type: 'ready', command: { type: 'StopTask' } }],
  ['a path in place of an id', { type: 'open', entry: 'mission a', target: { kind: 'file', path: '/etc/passwd' } }],
  ['a path beside an id', { type: 'open', entry: 'm', target: { kind: 'file', task_id: 'T', index: 0, path: 'x' } }],
  ['a path in place of a task', { type: 'open', entry: 'm', target: { kind: 'diff', path: '/etc/passwd' } }],
  ['an index below zero', { type: 'open', entry: 'm', target: { kind: 'file', task_id: 'T', index: -1 } }],
  ['an index that is none', { type: 'open', entry: 'm', target: { kind: 'file', task_id: 'T', index: 0.5 } }],
  ['more events than one answer holds', { type: 'range', entry: 'm', from: 1, count: eventsAtOnce + 1 }],
  ['an id of any length', { type: 'select', entry: 'x'.repeat(1_000_000) }],
  ['a thing that is not copied', { type: 'copy', entry: 'm', what: 'environment' }],
  ['a walkthrough of somebody else', { type: 'walkthrough', step: 'other#step' }],
];

describe('what the page may say', () => {
  for (const message of valid)
    it(`is taken: ${JSON.stringify(message)}`, () => assert.deepEqual(pageMessageOf(message), message));
  for (const [what, message] of forged)
    it(`is nothing else: ${what}`, () => assert.equal(pageMessageOf(message), null));
});
