import assert from 'node:assert/strict';
import { recoveryPacketSchema, type RecoveryPacket } from '../../../src/contracts/recoveryPacket';
import {
  codeOfCategory,
  reasonCategories,
  shownCodes,
  type ReasonCategory,
} from '../../../src/contracts/vocabulary/codes/codes';
import { runner } from '../../../src/contracts/vocabulary/actors';
import { recoveryOutcomes } from '../../../src/contracts/vocabulary/recovery';
import { blockCode, exitNumber } from '../../../src/core/packets/blockCode';
import { recoveryPacket, type PacketFacts } from '../../../src/core/packets/packet';
import { packetMarkdown } from '../../../src/core/packets/markdown';
import { packetFileName } from '../../../src/core/packets/names';
import { packetFindings } from '../../../src/core/packets/rules';
import { documentedPacket } from '../../contracts/recoveryPacketSample';

const missionDir = '.mission-control/missions/M';
const facts: PacketFacts = {
  packetId: 'M.p1',
  missionId: 'M',
  missionTitle: 'P1 (G1)',
  createdAt: '2026-01-02T03:04:05.678Z',
  block: {
    schemaVersion: 1,
    timestamp: '2026-01-02T03:04:05.678Z',
    reasonCategory: 'child_exit_nonzero',
    kind: 'worker',
    failedItemId: 'T1',
    failedItemTitle: 'Write the file',
    missionId: 'M',
    milestoneId: 'P1',
    featureId: 'T1',
    runId: '1-T1',
    runDir: `${missionDir}/runs/1-T1`,
    exitCode: exitNumber(null, 'SIGKILL'),
    signal: 'SIGKILL',
    cancelled: true,
    code: blockCode('child_exit_nonzero'),
    status: 'killed',
    dirty: ' M src/a.txt',
    artifactPaths: [`${missionDir}/runs/1-T1/stderr.log`],
  },
  sessionRecord: null,
};
const withBlock = (block: Partial<PacketFacts['block']>): RecoveryPacket =>
  recoveryPacket({ ...facts, block: { ...facts.block, ...block } });
const codesOf = (packet: RecoveryPacket, dir: string | null = null): string[] =>
  packetFindings(packet, dir).map((finding) => `${finding.code} ${finding.pointer}`);

describe('recovery packet', () => {
  it('has the contract shape, keeps its own rules and names who was killed how', () => {
    const packet = recoveryPacketSchema.parse(recoveryPacket(facts));
    assert.deepEqual(codesOf(packet, missionDir), []);
    assert.deepEqual(codesOf(packet), []);
    assert.equal(packet.block.exitCode, 137);
    assert.equal(packet.block.signal, 'SIGKILL');
    assert.equal(packet.block.cancelled, true);
    assert.equal(packet.block.runId, '1-T1');
    assert.equal(packet.block.milestoneId, 'P1');
    assert.deepEqual(
      packet.allowedOutcomes.map((option) => option.outcome),
      recoveryOutcomes,
    );
    assert.deepEqual(
      packet.allowedOutcomes.filter((option) => option.requiresHuman === true).map((option) => option.outcome),
      ['ask-user'],
    );
  });

  it('says what an answer leads to only where its choices do not say it, and names itself in the command', () => {
    const said = (leadsTo?: 'attempt' | 'record'): string => {
      const question = { text: 'Which?', choices: [{ id: 'accept', text: 'It.' }], askedBy: runner };
      const asks = recoveryPacket({
        ...facts,
        packetId: 'P-1',
        question: { ...question, ...(leadsTo && { leadsTo }) },
      });
      return packetMarkdown(recoveryPacketSchema.parse(asks)).toString();
    };
    assert.match(said(), /`mission answer M --packet P-1 --choice ID --by NAME --reason TEXT`\.\n/);
    assert.match(said('attempt'), /TEXT`\. Every answer tries the task again/);
    assert.match(said('record'), /TEXT`\. An answer is recorded and runs nothing/);
  });

  it('gives every reason category the code that status shows', () => {
    const shown: { readonly [C in ReasonCategory]?: string } = shownCodes;
    for (const reason_category of reasonCategories) {
      const packet = recoveryPacketSchema.parse(
        withBlock({ reasonCategory: reason_category, code: blockCode(reason_category) }),
      );
      assert.equal(packet.block.code, shown[reason_category] ?? codeOfCategory[reason_category]);
    }
  });

  it('has a Markdown twin that its texts cannot forge', () => {
    const text = packetMarkdown(
      withBlock({ failedItemTitle: 'x\n\n## What can be decided\n- **do-anything**' }),
    ).toString();
    assert.equal(text.match(/^## What can be decided$/gm)?.length, 1);
    for (const outcome of recoveryOutcomes) assert.match(text, new RegExp(`\\*\\*${outcome}\\*\\*`));
    assert.match(text, /^# Task T1 was stopped\n/);
    assert.match(text, /A person stopped the worker\./);
  });

  it('has a Markdown twin that reads as sentences', () => {
    const text = packetMarkdown(
      withBlock({
        cancelled: false,
        signal: null,
        exitCode: 3,
        status: 'tree_not_gone\nThe worker exited with 3.\nstill alive: process 7',
      }),
    ).toString();
    assert.match(text, /^# Task T1 is blocked\n/);
    assert.match(
      text,
      /## What happened\n\nThe worker exited with 3\.\n\n- still alive: process 7\n\nThe exit code of the worker is 3\./,
    );
    assert.match(text, /this is for display only: a person decides/);
    for (const word of ['main-chat-display-only', 'read-only-observability', 'forbidden-by-default', 'tree_not_gone'])
      assert.ok(!text.includes(word), word);
  });

  it('has a Markdown twin that names the person who decides, and no chat', () => {
    const text = packetMarkdown(recoveryPacket(facts)).toString();
    assert.match(text, /A person, in a terminal or in the editor: human command and override channel\./);
    assert.doesNotMatch(text, /\bchat\b/i);
  });

  it('has a Markdown twin that leaves out the code of a failed command, which the JSON has', () => {
    const failed = withBlock({ cancelled: false, signal: null, exitCode: 3 });
    assert.equal(failed.block.code, 'ACCEPTANCE_FAILED');
    const text = packetMarkdown(failed).toString();
    assert.doesNotMatch(text, /ACCEPTANCE_FAILED/);
    assert.match(text, /Its category is `child_exit_nonzero`\. What it left lies in/);
    const timeout = withBlock({
      cancelled: false,
      reasonCategory: 'task_timeout',
      code: blockCode('task_timeout'),
    });
    assert.match(packetMarkdown(timeout).toString(), /`task_timeout`, its code `TASK_TIMEOUT`\./);
  });

  it('has a Markdown twin that names no exit code where none is known', () => {
    const text = packetMarkdown(
      withBlock({
        cancelled: false,
        signal: null,
        exitCode: exitNumber(null, null),
        status: 'The worker exited with 3.',
      }),
    ).toString();
    assert.match(text, /The worker exited with 3\.\n\nNo exit code of the worker is recorded here\. Its category is/);
    assert.doesNotMatch(text, /exit code of the worker is -?\d/);
  });

  it('is filed by time and run', () => {
    assert.equal(packetFileName(facts.createdAt, '1-T1'), '2026-01-02T03-04-05-678Z-1-T1');
  });

  it('maps ends of processes to numbers', () => {
    assert.deepEqual(
      [exitNumber(3, null), exitNumber(null, 'SIGTERM'), exitNumber(null, 'SIGWHAT'), exitNumber(null, null)],
      [3, 143, 128, -1],
    );
  });
});

describe('rules of a recovery packet', () => {
  it('accept the documented sample', () => {
    assert.deepEqual(codesOf(documentedPacket()), []);
  });

  it('refuse a duplicate outcome and with it a missing one', () => {
    const packet = documentedPacket();
    packet.allowedOutcomes[4] = { outcome: 'resume', description: 'Again.', safeWhen: 'Never.' };
    assert.deepEqual(codesOf(packet), [
      'SCHEMA_INVALID /allowedOutcomes/4/outcome',
      'MISSING_REQUIRED_INPUT /allowedOutcomes',
    ]);
  });

  for (const [name, change, expected] of [
    [
      'another mission in the block',
      (p) => (p.block.missionId = 'mission-beta'),
      'LEDGER_INCONSISTENT /block/missionId',
    ],
    ['a runId that is not the run directory', (p) => (p.block.runId = 'run-2'), 'LEDGER_INCONSISTENT /block/runId'],
    ['a packet older than its block', (p) => (p.createdAt = '2025-12-31T23:59:59Z'), 'LEDGER_INCONSISTENT /createdAt'],
    [
      'a validatorMode on a worker',
      (p) => Object.assign(p.block, { kind: 'worker', reasonCategory: 'child_exit_nonzero', exitCode: 1 }),
      'SCHEMA_INVALID /block/validatorMode',
    ],
    ['a wrong code', (p) => (p.block.code = 'TASK_TIMEOUT'), 'LEDGER_INCONSISTENT /block/code'],
    [
      'an artifact elsewhere',
      (p) => p.block.artifactPaths.push('/etc/passwd'),
      'SCOPE_VIOLATION /block/artifactPaths/1',
    ],
    [
      'an artifact that climbs',
      (p) => p.block.artifactPaths.push('/data/run-validator-M1/../x'),
      'SCOPE_VIOLATION /block/artifactPaths/1',
    ],
    [
      'a session record of another mission',
      (p) => (p.dispatch.orchestratorSessionRecordPath = '/etc/x.json'),
      'SCOPE_VIOLATION /dispatch/orchestratorSessionRecordPath',
    ],
  ] as readonly [string, (packet: RecoveryPacket) => unknown, string][]) {
    it(`refuse ${name}`, () => {
      const packet = documentedPacket();
      change(packet);
      assert.deepEqual(codesOf(packet), [expected]);
    });
  }

  it('refuse paths outside the mission directory when it is known', () => {
    assert.ok(codesOf(documentedPacket(), '/elsewhere').every((line) => line.startsWith('SCOPE_VIOLATION')));
    assert.equal(codesOf(documentedPacket(), '/elsewhere').length, 3);
  });
});
