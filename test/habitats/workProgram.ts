/**
 * What workers and verify commands of every habitat run: `node tools/work.mjs WHAT NAME [GATE or MODULE]`.
 */
export const workProgram = `import { execFileSync } from 'node:child_process';
import { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
const [what, name, gate] = process.argv.slice(2);
const output = 'docs/out/' + name + '.txt';
const work = () => {
  mkdirSync('docs/out', { recursive: true });
  appendFileSync(output, name + ' ran\\n');
};
const hooks = () => {
  try {
    return execFileSync('git', ['rev-parse', '--git-path', 'hooks'], { encoding: 'utf8', stdio: 'pipe' }).trim();
  } catch {
    return '.git/hooks';
  }
};
switch (what) {
  case 'write':
    work();
    break;
  case 'require':
    work();
    createRequire(import.meta.url)(gate);
    break;
  case 'mend':
    work();
    writeFileSync(gate, readFileSync(gate, 'utf8').replace('41', '42'));
    break;
  case 'stray':
    work();
    appendFileSync('kept.txt', 'Touched.\\n');
    writeFileSync('stray.txt', 'Nobody asked for it.\\n');
    break;
  case 'hook':
    work();
    mkdirSync(hooks(), { recursive: true });
    writeFileSync(hooks() + '/post-merge', '#!/bin/sh\\n', { mode: 0o755 });
    break;
  case 'wait':
    work();
    writeFileSync(gate + '.waits', String(process.pid));
    while (!existsSync(gate)) await new Promise((go) => setTimeout(go, 25));
    break;
  case 'check':
    if (readFileSync(output, 'utf8') !== name + ' ran\\n') throw new Error(output + ' is not what it should be.');
    break;
  case 'mended':
    if (!existsSync(gate)) throw new Error('It is not mended yet.');
    break;
}
`;
