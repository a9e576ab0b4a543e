import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { AgentBed } from './agentBed';
import { until, type Ended } from './cliBed';

export interface Drafted {
  readonly path: string | null;
  readonly valid: boolean;
  readonly launches: number;
  readonly left_out: readonly string[];
  readonly notes: readonly string[];
  readonly findings: readonly { readonly code: string }[];
  readonly code: string;
  readonly reason: string;
}

/** A workspace in which `mission plan draft` runs with an agent that is scripted. */
export class DraftBed extends AgentBed {
  constructor() {
    super([]);
  }

  options(...args: string[]): readonly string[] {
    return [
      ...['plan', 'draft', '--goal', 'Write a note about the parser', '--confinement', 'off', '--by', 'Ada'],
      ...args,
      ...this.claudeOptions,
    ];
  }

  async draft(...args: string[]): Promise<Ended & { readonly drafted: Drafted }> {
    const end = await this.mission(...this.options(...args));
    return Object.assign(end, { drafted: end.json as unknown as Drafted });
  }

  /** @param texts what the agent says in each of its launches; the last one again. `before`: what it does first */
  answers(texts: readonly string[], before = ''): void {
    this.speaks(`
const told = ${JSON.stringify(path.join(this.scratch, 'prompt-'))};
let number = 1;
while (fs.existsSync(told + number)) number += 1;
fs.writeFileSync(told + number, prompt);
${before}
const texts = ${JSON.stringify(texts)};
say({ type: 'result', subtype: 'success', is_error: false, result: texts[Math.min(number, texts.length) - 1] });`);
  }

  prompt(number: number): string {
    return readFileSync(path.join(this.scratch, `prompt-${number}`), 'utf8');
  }

  /** Whether an agent was ever started. */
  get asked(): boolean {
    return existsSync(path.join(this.scratch, 'prompt-1'));
  }

  /** An agent that never answers; `pids` waits for its process and the child that it starts. */
  hangs(before = ''): { pids(): Promise<readonly number[]> } {
    const file = path.join(this.scratch, 'pids');
    this.speaks(`
${before}
const child = require('node:child_process').spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' });
fs.writeFileSync(${JSON.stringify(file)} + '.part', process.pid + ' ' + child.pid);
fs.renameSync(${JSON.stringify(file)} + '.part', ${JSON.stringify(file)});
setInterval(() => {}, 1000);
await new Promise(() => {});`);
    return {
      pids: () => until(() => (existsSync(file) ? readFileSync(file, 'utf8').split(' ').map(Number) : null)),
    };
  }

  plans(): readonly string[] {
    return this.exists('docs/plans') ? readdirSync(this.at('docs/plans')).sort() : [];
  }

  drafts(): readonly string[] {
    const missions = '.mission-control/missions';
    return this.exists(missions) ? readdirSync(this.at(missions)).filter((name) => name.startsWith('draft-')) : [];
  }
}

/** An answer in words with one block of JSON. */
export function block(value: unknown): string {
  return `Here it is.\n\n\`\`\`json\n${JSON.stringify(value, null, 2)}\n\`\`\`\n`;
}
