import { parsedJson } from '../../base/json';
import { errorWords, refused, type Outcome } from '../../base/outcome';
import { personStep } from '../../base/text/steps';
import { hostWordsSchema } from '../../contracts/fleet';
import type { MissionCommand } from '../../contracts/commands/missionCommand';
import type { CommandAnswer } from '../../core/model/sessionFacts';
import type { Fleet, FleetSeals, Mirror } from '../ports/fleet';
import type { InboxCommand } from '../ports/ownership';
import type { Clock, Timers } from '../ports/time';

/** Seconds in which a host has to answer a decision. */
const answerSeconds = 12;
/** Looks at further messages of one mission, before the others have their turn. */
const batchesAtOnce = 50;

export interface WatchesBy {
  readonly fleet: Pick<Fleet, 'open' | 'heard' | 'send'>;
  readonly seals: FleetSeals;
  readonly mirror: Mirror;
  readonly clock: Clock;
  readonly timers: Timers;
  /** Tells the person who started it. */
  readonly say: (sentence: string) => void;
}

/** Mirrors missions that hosts of a fleet run, and carries decisions about them to these hosts. */
export class FleetWatch {
  /** The last place that was heard, by row of the queue. */
  readonly #heard = new Map<string, number>();
  readonly #waiting = new Map<string, (answer: CommandAnswer) => void>();
  readonly #broken = new Set<string>();
  /** The newest claim of each row. */
  readonly #claims = new Map<string, number>();

  constructor(private readonly by: WatchesBy) {}

  /** Looks once at what hosts have said. @throws where the database does not answer */
  async look(): Promise<void> {
    const { fleet, mirror } = this.by;
    const open = new Map((await fleet.open()).map(({ id, state }) => [id, state]));
    for (const id of open.keys()) if (!this.#heard.has(id)) this.#heard.set(id, 0);
    for (const id of [...this.#heard.keys()]) {
      const heardAll = await this.#hear(id);
      const state = open.get(id);
      await mirror.mark(id, state === 'running' || state === 'waiting' ? state : 'over');
      // What a host says last it has said before the end.
      if (state === undefined && heardAll) this.#heard.delete(id);
    }
  }

  /** Sends a decision to the host of a mission, and resolves with what that host answers. */
  async command({
    id,
    mission_id,
    command,
    actor,
    reason,
    from_worker,
    identified,
  }: Omit<InboxCommand, 'command'> & { readonly command: MissionCommand }): Promise<CommandAnswer> {
    const { fleet, seals, mirror, clock } = this.by;
    if (from_worker || !identified || actor.kind !== 'human') return { accepted: false, ...noPerson };
    const place = mirror.placeOf(mission_id);
    if (place?.state !== 'running')
      return noHost(
        place
          ? `No host has mission ${mission_id} now. Host ${place.host} had it, in ${place.folder}.`
          : `No host of the fleet runs mission ${mission_id}.`,
        place?.state === 'over' ? 'Decide it in that folder.' : 'Wait until another host has it, then decide again.',
      );
    const decision = { id, mission_id, run_id: place.run_id, command, actor, reason, at: clock.now() };
    const sealed = await seals.seal({ kind: 'decision', mission: place.job }, JSON.stringify(decision));
    if (!sealed.ok) return { accepted: false, ...sealed.refusal };
    const answer = this.#answerOf(id, place.host);
    const sent = await fleet.send(place.job, sealed.value).then(() => null, errorWords);
    return sent === null
      ? answer
      : noHost(`The database did not take the decision: ${sent}. Its host may still carry it out.`, stillCarriedOut);
  }

  recordApproval(): Promise<Outcome<null>> {
    return Promise.resolve(notHere);
  }

  documentSaved(): Promise<CommandAnswer> {
    return Promise.resolve({ accepted: false, ...notHere.refusal });
  }

  #answerOf(id: string, host: string): Promise<CommandAnswer> {
    const { clock, timers } = this.by;
    return new Promise((resolve) => {
      const limit = timers.at(clock.after(clock.now(), answerSeconds), () =>
        settle(
          noHost(
            `Host ${host} has not answered for ${answerSeconds} seconds. It may still carry the decision out.`,
            stillCarriedOut,
          ),
        ),
      );
      const settle = (answer: CommandAnswer): void => {
        limit.dispose();
        this.#waiting.delete(id);
        resolve(answer);
      };
      this.#waiting.set(id, settle);
    });
  }

  /** False: there is more than it hears at once. */
  async #hear(job: string): Promise<boolean> {
    const { fleet, seals } = this.by;
    for (let batch = 0; batch < batchesAtOnce; batch += 1) {
      const messages = await fleet.heard(job, this.#heard.get(job) ?? 0);
      if (messages.length === 0) return true;
      for (const { place, run_id, content } of messages) {
        const opened = await seals.open({ kind: 'words', mission: job }, parsedJson(content));
        if (!opened.ok) throw new Error(opened.refusal.reason);
        if (opened.value) await this.#take(job, run_id, opened.value.text);
        this.#heard.set(job, place);
      }
    }
    return false;
  }

  async #take(job: string, run_id: string, text: string): Promise<void> {
    const words = hostWordsSchema.safeParse(parsedJson(text));
    if (!words.success || words.data.run_id !== run_id) return;
    const { data } = words;
    switch (data.kind) {
      case 'answer': {
        const { kind: _, id, ...answer } = data;
        this.#waiting.get(id)?.(answer);
        return;
      }
      case 'events': {
        const { mirror, clock, say } = this.by;
        const { host, mission_id, folder, lines } = data;
        // Each claim of a row has a higher number.
        const claim = Number(run_id.split(':').at(-1));
        // A copied row of an earlier claim says nothing.
        if (this.#broken.has(run_id) || claim < (this.#claims.get(job) ?? 0)) return;
        this.#claims.set(job, claim);
        const known = mirror.placeOf(mission_id);
        const place = { mission_id, job, run_id, host, folder, heard_at: clock.now() };
        const added = await mirror.add({ ...place, state: known?.state ?? 'running' }, lines);
        if (!known) say(`Host ${host} has mission ${mission_id}.`);
        if (added.ok) return;
        this.#broken.add(run_id);
        say(added.refusal.reason);
      }
    }
  }
}

const stillCarriedOut =
  'Look at the mission again in ten minutes. What was not carried out by then is not carried out.';

const noPerson = {
  code: 'NON_COMPLIANT',
  reason: 'It is not known that a person sent this command, so no host of the fleet gets it.',
  next: [personStep],
};
const notHere = refused('MISSION_UNKNOWN', 'This process only watches a fleet.', 'mission status');

function noHost(reason: string, next: string): CommandAnswer {
  return { accepted: false, code: 'FLEET_NO_HOST', reason, next: [next] };
}
