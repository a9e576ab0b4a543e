// A host of a trial, as a process: node host.mjs ENGINE URL NAME. It writes a line of JSON for each thing that it does.
import { writeSync } from 'node:fs';
import process from 'node:process';
import { setTimeout as delay } from 'node:timers/promises';

const [engine, url, name] = process.argv.slice(2);
const say = (what, of = {}) => writeSync(1, `${JSON.stringify({ what, ...of })}\n`);

/** A mission as a host sees it: each step is a wait here, a task with its worker in the product. */
async function run({ id, steps, stepMs }, step) {
  say('taken', { mission: id });
  for (let index = 0; index < steps; index += 1) {
    let isMine = false;
    try {
      await step(`step ${index}`, async () => {
        isMine = true;
        say('begun', { mission: id, index });
        await delay(stepMs);
        return { by: name };
      });
    } catch (error) {
      say('refused', { mission: id, index, error: error.code ?? error.message });
      throw error;
    }
    // Of a step that an earlier run recorded the engine answers the result.
    if (isMine) say('recorded', { mission: id, index });
  }
  say('ended', { mission: id });
}

process.on('unhandledRejection', (error) => {
  say('died', { text: String(error) });
  process.exit(1);
});
const { work } = await import(`./${engine}.mjs`);
await work(url, name, run);
say('ready');
// The engine's timers keep the process alive; so does this one where an engine has none.
setInterval(() => {}, 60_000);
