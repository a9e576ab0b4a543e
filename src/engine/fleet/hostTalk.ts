import { parsedJson } from '../../base/json';
import { fleetDecisionSchema, type HostWords } from '../../contracts/fleet';
import { mostCharacters } from '../../contracts/fleetMirror';
import { missionCommandSchema } from '../../contracts/commands/missionCommand';
import { fileCommands } from '../../contracts/vocabulary/commands';
import type { CommandAnswer } from '../../core/model/sessionFacts';
import type { EngineListener } from '../mission/listeners';
import type { MissionHost } from '../owner/host';
import type { Claim, FleetSeals } from '../ports/fleet';
import type { Clock } from '../ports/time';
import type { HeldClaim } from './heldClaim';
import { utcText } from '../../base/text/amounts';

/** Minutes between the two clocks, after which a decision is too old: a user of the database can hold one back. */
const freshMinutes = 10;

/** Journalled events of a mission, as lines of an export. */
export type ReadLines = (after: number) => Promise<{ readonly lines: readonly string[]; readonly last: number }>;

interface TalksBy {
  readonly clock: Clock;
  readonly seals: FleetSeals;
  readonly name: string;
  readonly folder: string;
  readonly host: Pick<MissionHost, 'command'>;
  readonly mission_id: string;
  readonly lines: ReadLines;
}

/** What a host says to those who watch its mission, and what it hears from them. */
export class HostTalk implements EngineListener {
  #last = 0;
  #turn: Promise<unknown> = Promise.resolve();
  #wanted = false;
  #left = false;
  #ends = false;
  #onEntries: () => void = () => undefined;

  constructor(
    private readonly claim: Claim,
    private readonly held: HeldClaim,
    private readonly by: TalksBy,
  ) {
    held.onBeat(() => void this.hear());
    void this.say();
  }

  onHalt(): void {
    this.#onEntries();
  }

  onEntries(): void {
    this.#onEntries();
    void this.say();
  }

  /** Resolves when the mission has a further event, or at once where `over` says so. */
  next(over: Promise<unknown>): Promise<unknown> {
    return Promise.race([over, new Promise<void>((resolve) => (this.#onEntries = resolve))]);
  }

  /** Says all events so far. Never rejects: what was not said is said the next time. */
  say(): Promise<unknown> {
    if (this.#wanted) return this.#turn;
    this.#wanted = true;
    return this.#inTurn(async () => {
      this.#wanted = false;
      const { name, folder, mission_id, lines: read } = this.by;
      for (;;) {
        const { lines, last } = await read(this.#last);
        if (lines.length === 0) return;
        if (
          !(await this.#tell({
            kind: 'events',
            run_id: this.claim.run_id,
            host: name,
            mission_id,
            folder,
            lines: [...lines],
          }))
        )
          return;
        this.#last = last;
      }
    });
  }

  /** Refuses decisions from here on, because they would undo that the host lets the mission go. */
  end(): void {
    this.#ends = true;
  }

  /** Does it while no decision is carried out. After it answered true, none is carried out. */
  leave(work: () => Promise<boolean>): Promise<boolean> {
    const left = this.#turn.then(async () => (this.#left = await work()));
    this.#turn = left.catch(() => undefined);
    return left;
  }

  /** Carries out decisions that have come. Never rejects. */
  hear(): Promise<unknown> {
    return this.#inTurn(async () => {
      if (this.#left) return;
      // One that fails keeps no other back.
      for (const text of await this.claim.decisions()) await this.#decide(text).catch(() => undefined);
    });
  }

  async #decide(text: string): Promise<void> {
    const { seals, clock, mission_id, host, folder, name } = this.by;
    const opened = await seals.open({ kind: 'decision', mission: this.claim.id }, parsedJson(text));
    if (!opened.ok || opened.value === null) return;
    const { signer } = opened.value;
    const read = fleetDecisionSchema.safeParse(parsedJson(opened.value.text));
    if (!read.success || read.data.mission_id !== mission_id || read.data.run_id !== this.claim.run_id) return;
    const { id, command, actor, reason, at } = read.data;
    const answer = await (async (): Promise<CommandAnswer> => {
      if (Math.abs(Date.parse(clock.now()) - Date.parse(at)) > freshMinutes * 60_000)
        return refusal(
          'FLEET_DECISION_REFUSED',
          `The decision was made at ${utcText(at)}, more than ${freshMinutes} minutes from the clock of its host.`,
          'Decide again.',
        );
      const parsed = missionCommandSchema.safeParse(command);
      if (!parsed.success)
        return refusal('COMMAND_INVALID', 'The command is not one of the version of its host.', 'mission --help');
      if (this.#ends)
        return refusal(
          'FLEET_NO_HOST',
          `Host ${name} is letting the mission go, and carries no further decision out.`,
          'Look at the mission again, and decide where it goes on.',
        );
      if (fileCommands.has(parsed.data.type))
        return refusal(
          'FLEET_DECISION_REFUSED',
          `This command needs the files of the mission, and they are in ${folder} on host ${name}.`,
          'Decide it in that folder.',
        );
      const decided = await host.command({
        // A signature shows who decides, and a decision could name another person.
        actor: { kind: 'human', name: signer ?? actor.name },
        ...{ id, mission_id, command: parsed.data, reason, asked_at: at, expected_seq: null, from_worker: false },
      });
      // Another host knows of it by then.
      await this.held.recorded();
      return decided;
    })();
    await this.#tell({ kind: 'answer', run_id: this.claim.run_id, id, ...answer, next: [...answer.next] });
  }

  async #tell(words: HostWords): Promise<boolean> {
    const sealed = await this.by.seals.seal({ kind: 'words', mission: this.claim.id }, JSON.stringify(words));
    // The database takes no longer one, and a refusal would count as a lost claim.
    if (!sealed.ok || JSON.stringify(sealed.value).length > mostCharacters.export) return false;
    return (await this.held.ask(() => this.claim.tell(sealed.value))) === 'held';
  }

  #inTurn(work: () => Promise<void>): Promise<unknown> {
    return (this.#turn = this.#turn.then(work).catch(() => undefined));
  }
}

function refusal(code: string, reason: string, ...next: readonly string[]): CommandAnswer {
  return { accepted: false, code, reason, next };
}

/** Characters of events that are said at once. */
export const wordsAtOnce = 256 * 1024;
