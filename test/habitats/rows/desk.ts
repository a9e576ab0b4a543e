import assert from 'node:assert/strict';
import { appendFileSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { BusyDesk } from '../../support/busyDesk';
import type { Habitat } from '../habitat';
import type { Place } from '../place';

/** Others at work in the workspace while a mission runs. */
export const desk: readonly Habitat[] = [
  {
    name: 'a busy desk: editor, watchers and git at work beside the mission',
    confined: true,
    commit: 'earlier',
    async make(place) {
      await place.repository();
      await deskAt(place).stage();
    },
    beside(place) {
      const over = { yet: false };
      const busy = deskAt(place);
      const atWork = busy.workUntil(over, async (round) => {
        if (round % 4 === 1) await busy.nowAndThen(round);
      });
      atWork.catch(() => undefined); // who ends it hears of it
      return () => {
        over.yet = true;
        return atWork;
      };
    },
    afterwards(place) {
      const summary = path.join(place.workspace, 'docs/ops/executions/sample/EXECUTION_SUMMARY.md');
      return Promise.resolve({
        'an attempt saw others at work': /\bchanges? by others\b/.test(readFileSync(summary, 'utf8')),
      });
    },
  },
];

function deskAt(place: Place): BusyDesk {
  const beside = (name: string): string => path.join(place.scratch, name);
  return new BusyDesk({
    write: (name, content) => place.write(name, content),
    append: (name, text) => appendFileSync(path.join(place.workspace, name), text),
    git: (args, folder) =>
      place.sh(
        `git -C '${folder === undefined ? place.workspace : beside(folder)}' ${args.map((arg) => `'${arg}'`).join(' ')}`,
      ),
    beside,
    async draft(id) {
      const { exit, stdout, stderr } = await place.mission('plan', 'new', id);
      assert.equal(exit, 0, stdout + stderr);
    },
  });
}
