import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { intents, type Intent } from '../../../src/contracts/vocabulary/intents';
import { approvedPlanOf } from '../../../src/core/plan/normalize';
import { resolveIntent } from '../../../src/core/plan/rules/resolveIntent';

const resolve = (description: string, type: string | null = null, intent: Intent | null = null): string => {
  const found = resolveIntent({ intent, type, description });
  return found.kind === 'resolved'
    ? `${found.intent} ${found.from}`
    : `ambiguous: ${found.first.intent}, ${found.second.intent}`;
};

/** What begins with one phrase of the table. */
const phrases: Readonly<Record<Intent, readonly string[]>> = {
  generate_context: ['Generate the project context.', 'Create ai.project.json'],
  refactor: ['Refactor the parser.', 'restructure our tests'],
  architecture: ['Design the plugin architecture.', 'Choose the database.', 'Decide on the architecture of the store'],
  domain: ['Model the billing domain.', 'Define the domain model of an invoice'],
  code_generation: [
    'Implement the parser.',
    'Write the code of the parser',
    'Implement a cache, and then write the code of its test',
  ],
  code_review: ['Review the code of the parser.', 'Review the last diff'],
  debugging: ['Debug why the build hangs.', 'Debug the test and debug why it hangs'],
  planning: ['Plan the migration.', 'Draft the roadmap of the year'],
  research: ['Research which parsers there are.', 'Compare the two parsers', 'Research and compare the two parsers'],
  summarize: ['Summarize the design.', 'Summarise what was decided', 'TL;DR of the thread'],
  classify: ['Classify the issues.', 'Classify every finding by risk'],
  chat: ['Hello!', 'Hi there.'],
};

/** Titles as people write them, in which a word of the table means something else, or stands beside what is done. */
const harmless = [
  ...['First.', 'x', 'Task T1', 'Count lines and words of every text.', 'Turn the inventory into a page.'],
  ...['Define the plan schema and its contract document.', 'Write the plan validator script.'],
  ...['Fix the login and debug logging.', 'Tag the release.', 'Add a plan B page.', 'Update the database schema.'],
  ...['Implementation notes for the parser', 'Refactoring guide', 'Architecture page of the manual'],
  ...['Design the architecture diagram.', 'Add compare-and-swap to the store', 'Add a summary to the report'],
  ...[
    'Write the report and a note of it.',
    'Write the README and summarize the design.',
    'Move files, then review the code.',
  ],
  ...[
    'Rename the classify function',
    'Classify function is slow',
    'Compare function for dates',
    'Plan files load twice',
  ],
  ...[
    'Debug output goes to stderr',
    'Review comments of last week',
    'Research page: fix the links',
    'Chat window scrolls',
  ],
  ...[
    'Hello world example',
    'Say hello',
    'Create a project',
    'Generate the docs',
    'Define the domain name of the site',
  ],
  ...['Dokumentation aktualisieren', '', '   ', '. . .', 'and then and then', 'Choose a better name'],
];

describe('the intent of a task', () => {
  for (const intent of intents) {
    it(`${intent} is found by its phrases and by its type, and a declared intent raises no question`, () => {
      for (const text of phrases[intent]) assert.equal(resolve(text), `${intent} description`, text);
      for (const type of [intent, intent.replaceAll('_', ' '), intent.toUpperCase().replaceAll('_', '-')])
        assert.equal(resolve('Whatever it is.', type), `${intent} type`);
      assert.equal(resolve('Refactor the parser and choose the database.', 'planning', intent), `${intent} declared`);
    });
  }

  it('of documentation and automation, the types of the planner, is to generate, whatever the title says', () => {
    for (const text of [...harmless, ...Object.values(phrases).flat(), 'Refactor the a and design the architecture'])
      for (const type of ['documentation', 'automation', 'Documentation'])
        assert.equal(resolve(text, type), 'code_generation type', text);
  });

  it('is asked about where description or type speak of two', () => {
    for (const [text, type, found] of [
      ['Refactor the parser and design the architecture of the store.', null, 'refactor, architecture'],
      ['Implement the cache, and then review the code of the store', null, 'code_generation, code_review'],
      ['Plan the migration. Implement the first step.', null, 'planning, code_generation'],
      ['Summarize the options and choose the database.', null, 'summarize, architecture'],
      ['Implement the parser.', 'code review', 'code_review, code_generation'],
    ] as const)
      assert.equal(resolve(text, type), `ambiguous: ${found}`, text);
  });

  it('of a phrase for how the result looks is no second one', () => {
    assert.equal(resolve('Review the code and summarize the findings.'), 'code_review description');
    assert.equal(resolve('Research which parsers there are, and classify each'), 'research description');
  });

  it('is to generate where nothing else is said: titles that people write get no finding', () => {
    for (const text of harmless) assert.equal(resolve(text), 'code_generation default', text);
    assert.equal(resolve('Refactor the parser', 'feature'), 'refactor description');
    assert.equal(resolve('Change it', '__proto__'), 'code_generation default');
    assert.equal(resolve('Change it', 'constructor'), 'code_generation default');
  });

  it('takes no time over a long text', () => {
    const long = 'Implement the '.repeat(100_000);
    assert.equal(resolve(long), 'code_generation description');
    assert.equal(resolve(`${'a '.repeat(100_000)}and refactor the b`), 'code_generation default');
  });

  it('is to generate for every agent of the plans of this repository, declared or not', () => {
    const folders = ['examples/docs/plans', 'test/fixtures/plans'];
    const files = folders.flatMap((folder) =>
      readdirSync(folder).flatMap((name) =>
        /^(?:PLAN_.*|base|rich)\.json$/.test(name) ? [path.join(folder, name)] : [],
      ),
    );
    assert.ok(files.length >= 6, String(files.length));
    for (const file of files) {
      const text = readFileSync(file, 'utf8').replace(/^\uFEFF/, '');
      const plan = JSON.parse(text) as Parameters<typeof approvedPlanOf>[0];
      for (const task of plan.tasks) {
        const undeclared = resolveIntent({ intent: null, type: task.type ?? null, description: task.description });
        assert.ok(undeclared.kind === 'resolved' && undeclared.intent === 'code_generation', `${file} ${task.task_id}`);
      }
      for (const { worker, intent } of approvedPlanOf(plan, { defaultWorker: 'claude' }).tasks)
        assert.ok(worker === 'command' || intent !== null, file);
    }
  });
});
