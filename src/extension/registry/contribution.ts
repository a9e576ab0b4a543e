import { ui } from '../../base/text/marked/ui';
import type { Log } from '../window/log';

/** A part that the extension adds to VS Code, or a listener. Built at activation, disposed with the extension. */
export interface Contribution {
  dispose(): void;
}

export interface Starter {
  readonly name: string;
  readonly start: () => Contribution;
}

/** Starts each contribution; one that fails is reported and does not stop the others. */
export function startContributions(starters: readonly Starter[], log: Log): Contribution {
  const started: Contribution[] = [];
  for (const { name, start } of starters) {
    try {
      started.push(start());
    } catch (error) {
      log.error(ui`${name} could not be started`, error);
    }
  }
  return together(started.reverse());
}

/** Several as one, disposed in their order. */
export function together(parts: Iterable<Contribution>): Contribution {
  return {
    dispose() {
      for (const part of parts) part.dispose();
    },
  };
}
