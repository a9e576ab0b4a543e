import { writeFileSync } from 'node:fs';
import { machineNode } from '../support/machine';

/**
 * Writes a program that speaks as Claude Code does. Body: statements of a module's function; they see `args` (its command
 * line), `added` (the directories of `--add-dir`), `fs`, `path`, `denied(place, tool)` (its own event of a denial),
 * `end(status, ...changes)` (the final event with a result packet), `asks(...notes)` (the same of a blocked worker) and `wait(milliseconds)`.
 *
 * @param file where the program is put; `<file>.launches` gets a line with `args` for every launch
 * @param model it says that it is; null: what it is given, else `m`
 */
export function writeFakeClaude(file: string, body: string, model: string | null = null): void {
  writeFileSync(
    file,
    `#!${machineNode()}\n${beginning.replaceAll('LAUNCHES', JSON.stringify(`${file}.launches`)).replaceAll('MODEL', JSON.stringify(model) + " ?? args.find((arg) => arg.startsWith('--model='))?.slice(8) ?? 'm'")}\n${body}\n}\n`,
    {
      mode: 0o755,
    },
  );
}

const beginning = `
const fs = require('node:fs');
const path = require('node:path');
const args = process.argv.slice(2);
if (args.includes('--version')) console.log('2.1.328 (Claude Code)');
else void run();
async function run() {
  const prompt = fs.readFileSync(0, 'utf8');
  const named = (name) => new RegExp('"' + name + '": "([^"]+)"').exec(prompt)?.[1];
  const say = (event) => fs.writeSync(1, JSON.stringify(event) + '\\n');
  const added = args.flatMap((arg, index) => (args[index - 1] === '--add-dir' ? [arg] : []));
  const wait = (milliseconds) => new Promise((go) => setTimeout(go, milliseconds));
  // Set by the body: what it proposes to remember.
  let x_memory;
  let calls = 0;
  const denied = (file_path, name = 'Write') => {
    const id = 'call' + (calls += 1);
    say({ type: 'assistant', message: { content: [{ type: 'tool_use', id, name, input: { file_path } }] } });
    say({ type: 'system', subtype: 'permission_denied', tool_name: name, tool_use_id: id,
      decision_reason_type: 'workingDir', decision_reason: 'Path is outside allowed working directories' });
  };
  const end = (status, ...changes) => report(status, changes, status === 'done' ? [] : ['something was denied']);
  const asks = (...notes) => report('blocked', [], notes);
  const report = (status, changes, notes) => say({ type: 'result', subtype: 'success', is_error: false, result: status,
    structured_output: {
      schema_version: '1.0.0', run_id: named('run_id'), task_id: named('task_id'), status,
      changes: changes.map((resource) => ({ resource, action: 'created', evidence: null })),
      acceptance_check: [{ criterion: 'the task is done as described', status: status === 'done' ? 'pass' : 'fail', evidence: 'seen' }],
      worklog_path: '', notes_for_orchestrator: notes, x_memory,
    } });
  say({ type: 'system', subtype: 'init', session_id: 'S' + process.pid, model: MODEL, claude_code_version: '2.1.328' });
  try { fs.appendFileSync(LAUNCHES, JSON.stringify(args) + '\\n'); } catch {}
`;
