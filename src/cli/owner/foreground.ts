import { errorWords } from '../../base/errorWords';
import { randomUUID } from 'node:crypto';
import type { Actor } from '../../contracts/vocabulary/actors';
import type { MissionEngine } from '../../engine/mission/engine';
import type { MissionHost } from '../../engine/owner/host';
import type { Output } from '../shell/output';
import { terminal } from '../../base/text/marked/terminal';

/** How the stay ended; the host has released everything by then. */
export interface Stayed {
  readonly how: 'settled' | 'detached';
  readonly engine: MissionEngine | null;
}

/**
 * Stays until nothing is under way, or until it is interrupted:
 *
 * Ctrl+C (SIGINT) asks on a terminal, then pauses after the current attempt; without a terminal it pauses at once. A
 * second Ctrl+C, SIGTERM, SIGHUP or the death of the parent that re-executed this command releases the missions; the
 * worker runs on under its supervisor, and `mission resume` attaches to it.
 */
export async function stayUntilSettled(
  host: MissionHost,
  missionId: string,
  actor: Actor,
  out: Output,
): Promise<Stayed> {
  let letGo: (() => void) | null = null;
  const detached = new Promise<'detached'>((resolve) => (letGo = () => resolve('detached')));
  let interrupted = 0;
  const pause = async (): Promise<void> => {
    const mission = host.engine(missionId)?.mission;
    if (out.interactive) {
      out.note(terminal``);
      const wanted = await out.ask(
        terminal`Pause ${missionId} after the current attempt? (Ctrl+C again: exit and leave the worker running)`,
        () => letGo?.(),
      );
      if (!wanted) {
        interrupted = 0;
        return;
      }
    }
    if (!mission || mission.ending) return;
    const answer = await host.command({
      id: randomUUID(),
      mission_id: missionId,
      command: { type: 'PauseMission' },
      actor,
      reason: 'Interrupted with Ctrl+C.',
      expected_seq: null,
      from_worker: false,
    });
    out.note(terminal`${answer.reason} Interrupt again to exit at once and leave the worker running.`);
  };
  const onInterrupt = (): void => {
    const now = performance.now();
    // A re-executed command may get one signal twice: sent to the group, and forwarded by its parent.
    if (process.connected && !process.stdin.isTTY && interrupted !== 0 && now - interrupted < 250) return;
    if (interrupted !== 0) {
      letGo?.();
      return;
    }
    interrupted = now;
    pause().catch((error: unknown) => out.note(terminal`The mission could not be paused: ${errorWords(error)}`));
  };
  const onEnd = (): void => letGo?.();
  process.on('SIGINT', onInterrupt);
  for (const signal of ['SIGTERM', 'SIGHUP'] as const) process.on(signal, onEnd);
  process.on('disconnect', onEnd);
  process.channel?.unref();
  // Keeps this process alive, because a mission that waits for a time has nothing else that does.
  const stays = setInterval(() => undefined, 2 ** 30);
  try {
    for (;;) {
      const how = await Promise.race([host.settled().then(() => 'settled' as const), detached]);
      const engine = host.engine(missionId) ?? null;
      if (how === 'detached') await host.release();
      // A command taken at the last moment may have started something.
      else if (!(await host.releaseIfSettled())) continue;
      return { how, engine };
    }
  } finally {
    clearInterval(stays);
    process.off('SIGINT', onInterrupt);
    for (const signal of ['SIGTERM', 'SIGHUP'] as const) process.off(signal, onEnd);
    process.off('disconnect', onEnd);
  }
}
