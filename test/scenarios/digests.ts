import { createHash } from 'node:crypto';
import { PassThrough } from 'node:stream';
import { createOutput } from '../../src/cli/shell/output';
import { printResult } from '../../src/cli/show/missionResult';
import type { MissionView } from '../../src/contracts/page/missionView';
import { auditLogOf } from '../../src/core/audit/log';
import { headerDocument } from '../../src/engine/effects/write/writeDocuments';
import { summaryMarkdown } from '../../src/core/evidence/summary';
import { documentText } from '../../src/base/json';
import { executionHeader, packetFacts, summaryFacts } from '../../src/core/mission/documents';
import { milestoneDocument } from '../../src/core/mission/milestones/document';
import { packetMarkdown } from '../../src/core/packets/markdown';
import { recoveryPacket } from '../../src/core/packets/packet';
import { eventLine } from '../../src/core/view/events/eventLine';
import { missionView } from '../../src/core/view/mission/missionView';
import { streamEvent } from '../../src/core/view/events/streamEvent';
import { panelOf } from '../support/panelOf';
import type { Played } from './play';

/** By what a mission leaves, the beginning of the SHA-256 of its bytes. */
export type Digests = Readonly<Record<string, string>>;

/** Everything that a mission leaves behind and everything that people see of it, as digests. */
export function digestsOf({ entries, mission }: Played): Digests {
  const header = executionHeader(mission, { summary_sha256: null, at: mission.last_at });
  const facts = summaryFacts(mission, header);
  const view = missionView(mission, entries, new Map(), true);
  return digested([
    ['journal', entries],
    ['audit', auditLogOf(entries)],
    ['EXECUTION_HEADER.json', headerDocument(header)],
    ['EXECUTION_SUMMARY.md', String(summaryMarkdown(facts))],
    ...facts.tasks.map((task) => [`TASK_${task.task_id}.json`, documentText(task)] as const),
    ['milestones', mission.rows.map((row) => milestoneDocument(mission, row))],
    ['packets', mission.packets.map((packet) => packetText(recoveryPacket(packetFacts(mission, packet, 'm', []))))],
    ['view', view],
    ['status', statusText(view)],
    ['events', entries.map((entry) => [eventLine(entry, mission), streamEvent(entry, mission)])],
    ['page', panelOf({ missions: [entries] })],
  ]);
}

function digested(parts: readonly (readonly [string, unknown])[]): Digests {
  return Object.fromEntries(parts.map(([name, value]) => [name, digest(value)]));
}

function digest(value: unknown): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return createHash('sha256').update(text).digest('hex').slice(0, 10);
}

function packetText(packet: ReturnType<typeof recoveryPacket>): readonly unknown[] {
  return [packet, String(packetMarkdown(packet))];
}

/** What `mission status` and the end of `mission run` print, without colours. */
export function statusText(view: MissionView): string {
  const printed = new PassThrough();
  printResult(view, null, createOutput(false, { stdin: process.stdin, stdout: printed, stderr: printed }, {}));
  return String(printed.read());
}
