import { randomUUID } from 'node:crypto';
import { existsSync, writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { sendCommand } from '../../src/adapters/inbox/otherOwner';
import { openNodeViewer, type NodeViewer } from '../../src/adapters/nodeViewer';
import type { Attempt } from '../../src/core/model/attempt';
import type { Mission } from '../../src/core/model/state';
import { missionStatus } from '../../src/core/mission/status';
import { MissionReader } from '../../src/engine/views/reader';
import type { CommandAnswer } from '../../src/core/model/sessionFacts';
import { attemptsUnderWay } from './live';
import { gateOf, runsOf, seenOf, type Places, type ScenarioName } from './scenarios';

/** A command with the answer its sender got. */
export interface Acknowledged {
  readonly id: string;
  readonly command: string;
  readonly answer: CommandAnswer;
}

type Wish = {
  readonly mission_id: string;
  readonly command: { readonly type: string; readonly [key: string]: unknown };
};

interface Pending {
  readonly id: string;
  readonly wish: Wish;
}

/** The SHA-256 of the plan that is approved in between. */
export const approvedHash = 'A5'.repeat(32);

/**
 * Who decides in a round: looks at the journal as every viewer does, and sends commands through the inbox. One that
 * was taken and not answered is asked about with the same id until there is an answer.
 */
export class Person {
  readonly acknowledged: Acknowledged[] = [];
  #viewer: NodeViewer | null = null;
  #reader: MissionReader | null = null;
  #done = false;
  readonly #approved = new Set<string>();
  readonly #paused = new Set<string>();

  constructor(
    private readonly scenario: ScenarioName,
    private readonly places: Places,
    /** Whether an owner is there that answers; the person waits for one. */
    private readonly owned: () => boolean,
  ) {}

  /** Goes on until `leave` is called. */
  async act(): Promise<void> {
    let pending: Pending | null = null;
    while (!this.#done) {
      await sleep(20);
      if (!this.owned()) continue;
      const asked: Pending | null = pending ?? (await this.#next());
      if (asked === null) continue;
      const { id, wish } = asked;
      const answer = await this.#send(id, wish);
      // Withdrawn: it never was carried out. Pending: the next owner answers the same id.
      pending = answer === 'pending' ? asked : null;
      if (typeof answer === 'string') continue;
      this.acknowledged.push({ id, command: wish.command.type, answer });
      this.#remember(wish, answer);
    }
  }

  async leave(acting: Promise<void>): Promise<void> {
    this.#done = true;
    await acting;
    await this.#viewer?.close();
    this.#viewer = null;
    this.#reader = null;
  }

  /** Newest first. Lanes whose start is on record are let go. */
  async missions(): Promise<readonly Mission[]> {
    if (this.#reader === null) {
      const opened = await openNodeViewer({
        workspaceDir: this.places.workspace,
        journal: { kind: 'in_process' },
      });
      // Before the first owner has made it there is nothing to look at.
      if (!opened.ok || opened.value === null) return [];
      this.#viewer = opened.value;
      this.#reader = new MissionReader(opened.value.journal);
    }
    const missions = (await this.#reader.read()).missions.map(({ mission }) => mission);
    for (const { task_id, stage, launches } of missions.flatMap(attemptsUnderWay))
      if (stage.at === 'running') writeFileSync(seenOf(this.places, task_id, launches.at(-1)?.nonce ?? ''), '');
    return missions;
  }

  async #next(): Promise<Pending | null> {
    const wish = await this.#wish();
    return wish === null ? null : { id: randomUUID(), wish };
  }

  async #wish(): Promise<Wish | null> {
    const [mission] = await this.missions();
    if (!mission || mission.ending || mission.criteria) return null;
    const { mission_id, hold } = mission;
    const live = attemptsUnderWay(mission);
    const attempt = live.find(({ task_id }) => task_id === 'stopped') ?? live[0];
    const wish = (command: Wish['command']): Wish => ({ mission_id, command });
    if (attempt) {
      const { task_id } = attempt;
      const waits = task_id === 'stopped' && attempt.stage.at === 'running' && this.#runs(attempt);
      if (!waits || existsSync(gateOf(this.places, task_id)) || attempt.stop_requested) return null;
      if (this.scenario === 'cancel') return mission.cancel ? null : wish({ type: 'CancelMission' });
      if (!this.#approved.has(mission_id))
        return wish({
          type: 'RecordApproval',
          plan_id: 'OTHER',
          plan_path: 'docs/plans/PLAN_OTHER.json',
          plan_sha256: approvedHash,
        });
      if (hold.kind === 'none' && !this.#paused.has(mission_id)) return wish({ type: 'PauseMission' });
      return wish({ type: 'StopTask', task_id });
    }
    const blocked = mission.rows.find((row) => row.status === 'blocked' && !row.retry && !mission.cancel);
    if (blocked) {
      const { task_id } = blocked.task;
      const packet = mission.packets.findLast((candidate) => candidate.task_id === task_id);
      return packet?.written ? wish({ type: 'RetryTask', task_id }) : null;
    }
    return missionStatus(mission) === 'paused' ? wish({ type: 'ResumeMission' }) : null;
  }

  /** Returns whether the command of the attempt has begun: its line is there. */
  #runs(attempt: Attempt): boolean {
    const nonce = attempt.launches.at(-1)?.nonce;
    return nonce !== undefined && runsOf(this.places, attempt.task_id).includes(nonce);
  }

  async #send(id: string, { mission_id, command }: Wish): ReturnType<typeof sendCommand> {
    if (this.#viewer === null) return 'nobody';
    return sendCommand(
      this.#viewer.folder,
      {
        id,
        mission_id: command.type === 'RecordApproval' ? '' : mission_id,
        command: { ...command },
        actor: { kind: 'human', name: 'Grace' },
        reason: 'kill test',
        expected_seq: null,
        from_worker: false,
        token_sha256: null,
      },
      { timeoutMs: 1500 },
    );
  }

  #remember({ mission_id, command }: Wish, answer: CommandAnswer): void {
    if (!answer.accepted) return;
    if (command.type === 'RecordApproval') this.#approved.add(mission_id);
    if (command.type === 'PauseMission') this.#paused.add(mission_id);
    if (command.type === 'StopTask') writeFileSync(gateOf(this.places, String(command['task_id'])), '');
  }
}
