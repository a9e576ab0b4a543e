import fs from 'node:fs';
import path from 'node:path';
import process from 'node:process';

// A worker that does not hold still: makes, moves, empties, links and deletes in its own folder until a file appears.
//   node churn.program.js FOLDER STOP-FILE
const [folder = '', stop = ''] = process.argv.slice(2);
const at = (name: string): string => path.join(folder, name);

fs.mkdirSync(at('deep/er'), { recursive: true });
for (let round = 0; !fs.existsSync(stop); round += 1) {
  fs.writeFileSync(at('same'), `${round}`.padStart(2000, '.'));
  fs.writeFileSync(at(`half-${round % 7}`), `${round}`);
  fs.renameSync(at(`half-${round % 7}`), at('whole'));
  fs.mkdirSync(at(`deep/er/${round % 3}`), { recursive: true });
  fs.writeFileSync(at(`deep/er/${round % 3}/file`), `${round}`);
  if (round % 5 === 0) fs.rmSync(at('deep/er'), { recursive: true, force: true });
  fs.rmSync(at('link'), { force: true });
  fs.symlinkSync(round % 2 === 0 ? 'same' : 'deep', at('link'));
}
fs.rmSync(folder, { recursive: true });
fs.mkdirSync(folder);
fs.writeFileSync(at('end'), 'end');
