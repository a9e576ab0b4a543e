import assert from 'node:assert/strict';
import path from 'node:path';
import { ConfinedBed, users } from './confinedBed';
import { writeFakeClaude } from './fakeClaude';

/** Workers that write without end, through whole missions. */
for (const user of users) {
  describe(`a mission whose worker floods, as ${user}`, function () {
    this.timeout(180_000);
    let bed: ConfinedBed;
    beforeEach(function () {
      bed = new ConfinedBed(this, user);
    });
    afterEach(() => bed.dispose());

    it('with messages: what it announces after them is known as its own, also in the paths of another lane', async () => {
      const claude = path.join(bed.scratch, 'claude');
      writeFakeClaude(
        claude,
        `${flood}
        fs.mkdirSync('lanes/B', { recursive: true });
        fs.writeFileSync('lanes/B/stray', 'x');
        say({ type: 'assistant', message: { content: [{ type: 'tool_use', id: 'w', name: 'Write', input: { file_path: 'lanes/B/stray' } }] } });
        say({ type: 'user', message: { content: [{ type: 'tool_result', tool_use_id: 'w' }] } });
        await wait(20_000);
        fs.writeFileSync(${JSON.stringify(path.join(bed.scratch, 'too late'))}, '');
        end('done');`,
      );
      const plan = bed.parallel(
        'flooded',
        2,
        [
          { task_id: 'A', paths: ['lanes/A/'], worker: 'claude', prompt: 'x' },
          bed.lane('B', `await gate('too late');`),
        ],
        { delegation: { claude_code: true, constraints: [] } },
      );
      const run = await bed.mission('run', plan, '--confinement', 'off', '--cli', `claude=${claude}`);
      assert.equal(run.code, 1, run.stdout + run.stderr);
      assert.equal(run.json.code, 'SCOPE_VIOLATION');
      const changed = (task: string) => bed.evidence('flooded', task).attempts?.[0]?.changes.map((one) => one.path);
      assert.ok(changed('A')?.includes('lanes/B/stray'), JSON.stringify(changed('A')));
      assert.ok(changed('B')?.includes('lanes/B/stray') !== true, JSON.stringify(changed('B')));
    });
  });
}

/** 10 MB of messages. */
const flood = `const text = 'x'.repeat(50_000);
for (let count = 0; count < 200; count += 1) say({ type: 'assistant', message: { content: [{ type: 'text', text }] } });`;
