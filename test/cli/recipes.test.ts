import assert from 'node:assert/strict';
import { globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { AgentBed } from './agentBed';
import type { Ended } from './cliBed';

interface Step {
  /** Words of the command, without `mission`. */
  readonly words: readonly string[];
  readonly exitCode: number;
}
interface Recipe {
  readonly name: string;
  readonly planId: string;
  readonly plan: string;
  readonly steps: readonly Step[];
}

const recipes = globSync('docs/recipes/*.md').sort().map(readRecipe);

/** The files that the agent of a recipe writes, by task. */
const work: Readonly<Record<string, readonly string[]>> = {
  adapt: ['src/schema.ts'],
  add: ['src/store/sqlite.ts', 'test/store/both.test.ts'],
  api: ['packages/api/limit.ts'],
  client: ['packages/client/wait.ts'],
  notes: ['docs/release-notes.md'],
  remove: ['src/orders.ts'],
  tests: ['test/cart/discount.test.ts'],
  write: ['db/migrations/012_order_status.sql'],
};

/** A stand-in for npm: what the scripts of the recipes write. */
const npm = `#!/bin/sh
set -e
case "$1 $2" in
  'install --ignore-scripts')
    mkdir -p node_modules/zod
    for file in package.json package-lock.json node_modules/zod/package.json; do echo '{}' > "$file"; done ;;
  'run docs') mkdir -p docs && echo api > docs/api.md ;;
  'run coverage') mkdir -p coverage reports && echo raw > coverage/raw && echo 90 > reports/lines.txt ;;
  'run dump-schema') mkdir -p db && echo schema > db/schema.sql ;;
esac
`;

/** What the agent does: it writes its files and reports each criterion, or validates a milestone. */
const agent = `
  const milestoneId = named('milestoneId');
  const ends = (structured_output) =>
    say({ type: 'result', subtype: 'success', is_error: false, result: 'done', structured_output });
  if (milestoneId !== undefined) {
    const ids = [...prompt.matchAll(/^- (A\\d+): /gm)].map(([, id]) => id);
    ends({ schemaVersion: 1, runId: named('runId'), milestoneId, status: 'pass', summary: 'Looked.', commandsRun: [],
      assertions: ids.map((assertionId) => ({ assertionId, status: 'pass', evidence: 'test/store/both.test.ts:1' })),
      defects: [], procedureFindings: [], recommendation: 'accept' });
    return;
  }
  const files = ${JSON.stringify(work)}[named('task_id')];
  for (const file of files) {
    fs.mkdirSync(path.dirname(file), { recursive: true });
    fs.writeFileSync(file, 'made');
  }
  const [, list = '- the task is done as described'] =
    /<acceptance_criteria>\\n([^]*?)\\n<\\/acceptance_criteria>/.exec(prompt) ?? [];
  const criteria = [...list.matchAll(/^- (.*)$/gm)].map(([, criterion]) => criterion);
  ends({ schema_version: '1.0.0', run_id: named('run_id'), task_id: named('task_id'), status: 'done',
    changes: files.map((resource) => ({ resource, action: 'created', evidence: 'seen' })),
    acceptance_check: criteria.map((criterion) => ({ criterion, status: 'pass', evidence: 'seen' })),
    worklog_path: '', notes_for_orchestrator: [] });`;

/** A workspace as the recipes expect it, on a machine with npm and an agent. */
class RecipeBed extends AgentBed {
  constructor() {
    super([]);
    this.write('.gitignore', '.mission-control/\nnode_modules/\ncoverage/\n');
    this.git('add', '.gitignore');
    this.git('commit', '-qm', 'what git ignores');
    this.speaks(agent);
    const bin = path.join(this.scratch, 'npm/bin');
    mkdirSync(bin, { recursive: true });
    writeFileSync(path.join(bin, 'npm'), npm, { mode: 0o755 });
  }

  override get env(): NodeJS.ProcessEnv {
    const env = super.env;
    const bin = path.join(this.scratch, 'npm/bin');
    const named = { DATABASE_URL: 'postgres://localhost:5432/tests', ANTHROPIC_API_KEY: 'a key for this test' };
    return { ...env, ...named, PATH: `${bin}${path.delimiter}${env['PATH'] ?? ''}` };
  }

  /** Follows a step as a person does who says yes beforehand, because no terminal asks. */
  follow(words: readonly string[]): Promise<Ended> {
    if (words[0] === 'run' || words[0] === 'answer') return this.withClaude(...words);
    return this.mission(...words, ...(words[1] === 'approve' ? ['--yes'] : []));
  }
}

describe('the recipes', function () {
  this.timeout(180_000);
  let bed: RecipeBed;
  beforeEach(() => (bed = new RecipeBed()));
  afterEach(() => bed.dispose());

  it('are listed in the guide, each of them', () => {
    const guide = readFileSync('docs/guide/README.md', 'utf8');
    const listed = [...guide.matchAll(/^\| \[[^\]]*\]\(\.\.\/recipes\/([\w-]+)\.md\)/gm)].map(([, name = '']) => name);
    assert.deepEqual(
      listed.sort(),
      recipes.map(({ name }) => name),
    );
  });

  for (const { name, planId, plan, steps } of recipes)
    it(`${name}: its plan lacks only the approval, and its steps complete the mission`, async function () {
      if (plan.includes('"confinement": "required"')) bed.findBubblewrap(this);
      const file = `docs/plans/PLAN_${planId}.json`;
      bed.write(file, plan);
      const validated = await bed.mission('plan', 'validate', file);
      assert.deepEqual(
        // This bed is no repository, so git cannot be asked what it ignores, which is a warning.
        validated.json.files[0]!.findings.filter(({ severity }) => severity === 'error').map(({ code }) => code),
        ['STATUS_NOT_APPROVED'],
        validated.stdout,
      );
      const values: Record<string, string> = { NAME: 'Ada', TEXT: 'because' };
      const commands = steps.map(({ words }) => words[0]);
      for (const command of ['plan', 'run', 'evidence']) assert.ok(commands.includes(command), commands.join(', '));
      for (const { words, exitCode } of steps) {
        const ended = await bed.follow(words.map((word) => values[word] ?? word));
        assert.equal(ended.code, exitCode, `${words.join(' ')}\n${ended.stdout}${ended.stderr}`);
        if (words[0] === 'run') values['MISSION'] = ended.json.mission_id;
      }
      const { json } = await bed.mission('list');
      assert.equal(json.missions[0]?.status, 'completed');
    });
});

/** Reads the plan of the page, and its numbered steps that end with a command. */
function readRecipe(file: string): Recipe {
  const text = readFileSync(file, 'utf8');
  const [, plan = ''] = /```json\n([^]*?)\n```/.exec(text) ?? [];
  const [, section = ''] = text.split('\n## Run it\n');
  const steps = section.split('\n').flatMap((line): Step[] => {
    const [, command] = /^\d+\. .*: `mission ([^`]+)`$/.exec(line) ?? [];
    const [, exitCode = '0'] = /exit code (\d)/.exec(line) ?? [];
    return command === undefined ? [] : [{ words: command.split(' '), exitCode: Number(exitCode) }];
  });
  const { plan_id } = JSON.parse(plan) as { readonly plan_id: string };
  return { name: path.basename(file, '.md'), planId: plan_id, plan, steps };
}
