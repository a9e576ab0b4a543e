import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { orchestratorLimits } from '../../src/contracts/vocabulary/orchestrator';
import type { EventOf } from '../../src/core/model/events';
import { AgentBed } from './agentBed';
import type { Ended } from './cliBed';

/**
 * A workspace in which one program plays the worker and, where it gets the variables of a session, the runtime
 * orchestrator: it signs and writes requests as the server of the mission tools does.
 */
export class OrchestratorBed extends AgentBed {
  constructor() {
    super([]);
  }

  /**
   * @param worker statements of the worker, as `writeFakeClaude` takes them; they see `attempt`, counted from 1
   * @param orchestrator statements of a session; they see also `ask(request)`, which resolves with the answer,
   * `put(name, text)`, which puts a file into the outbox and keeps it open, `signed(request, more)`, and `prompt`
   */
  plays(worker: string, orchestrator: string): void {
    this.speaks(playing(worker, orchestrator, this.notesFile));
  }

  get notesFile(): string {
    return path.join(this.scratch, 'notes');
  }

  /** What sessions noted by `note(value)`, one after the other. */
  notes(): readonly unknown[] {
    return readFileSync(this.notesFile, 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as unknown);
  }

  /** Returns whether a session noted a whole line. */
  noted(): boolean {
    return existsSync(this.notesFile) && readFileSync(this.notesFile, 'utf8').endsWith('\n');
  }

  /** Lets a session go on that waits for it. */
  letGo(): void {
    writeFileSync(`${this.notesFile}.go`, '');
  }

  orchestrated(plan: string, ...more: readonly string[]): Promise<Ended> {
    return this.withClaude('run', plan, '--orchestrator', 'claude', ...more);
  }

  async endEvent(id: string): Promise<EventOf<'OrchestratorEnded'> | undefined> {
    return (await this.events(id)).findLast((event) => event.type === 'OrchestratorEnded');
  }
}

/** What `writeFakeClaude` takes for a worker and an orchestrator, as `plays` does. */
export function playing(worker: string, orchestrator: string, notesFile: string): string {
  return program
    .replace('/* worker */', () => worker)
    .replace('/* session */', () => orchestrator)
    .replaceAll('NOTES', JSON.stringify(notesFile));
}

const program = `
const crypto = require('node:crypto');
const canonical = (value) => Array.isArray(value) ? '[' + value.map(canonical).join(',') + ']'
  : typeof value !== 'object' || value === null ? JSON.stringify(value)
  : '{' + Object.keys(value).sort().map((key) => JSON.stringify(key) + ':' + canonical(value[key])).join(',') + '}';
const note = (value) => fs.appendFileSync(NOTES, JSON.stringify(value) + '\\n');
const dir = process.env.MISSION_ORCHESTRATOR_DIR;
if (dir === undefined) {
  const count = NOTES + '.attempts';
  const attempt = (fs.existsSync(count) ? fs.readFileSync(count, 'utf8').length : 0) + 1;
  fs.appendFileSync(count, '.');
  /* worker */
  return;
}
const open = [];
const put = (name, text) => {
  const file = path.join(dir, 'work/outbox', name);
  const temporary = path.join(dir, 'work/outbox', '.' + name + '.tmp');
  const fd = fs.openSync(temporary, 'wx', 0o600);
  open.push(fd);
  fs.writeSync(fd, text);
  fs.renameSync(temporary, file);
  return file;
};
const key = () => crypto.createPrivateKey({ key: Buffer.from(process.env.MISSION_ORCHESTRATOR_TOKEN, 'base64url'), type: 'pkcs8', format: 'der' });
const signed = (request, more = {}, by = key()) => {
  const unsigned = { schema_version: '1.0.0', id: crypto.randomUUID(), session: process.env.MISSION_ORCHESTRATOR_SESSION,
    at: new Date().toISOString(), request, ...more };
  return { ...unsigned, signature: crypto.sign(null, Buffer.from(canonical(unsigned)), by).toString('base64url') };
};
const answered = async (id) => {
  const file = path.join(dir, 'answers', id + '.json');
  for (let looks = 0; looks < 600; looks += 1) {
    if (fs.existsSync(file)) {
      const size = fs.statSync(file).size;
      if (size > ${String(orchestratorLimits.answer)}) throw new Error('an answer of ' + size + ' bytes');
      return JSON.parse(fs.readFileSync(file, 'utf8'));
    }
    await wait(50);
  }
  return { ok: false, code: 'OWNER_SILENT' };
};
const ask = async (request, more = {}, by = undefined) => {
  const message = signed(request, more, by);
  put(message.id + '.json', JSON.stringify(message));
  return answered(message.id);
};
const choose = (outcome, reason = 'it helps', more = {}) => ask({ tool: 'choose_outcome', outcome, reason, ...more });
const bye = () => say({ type: 'result', subtype: 'success', is_error: false, result: 'decided', usage: { input_tokens: 100, output_tokens: 10 } });
/* session */
bye();
`;
