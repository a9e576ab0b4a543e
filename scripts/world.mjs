// Describes the machine of a test run in one line. An outcome that depends on the machine is a
// defect of the tests.
import { readFileSync } from 'node:fs';
import { spawnSync } from 'node:child_process';
import os from 'node:os';
import process from 'node:process';

/** @param {{ commit: string | null, clean: boolean }} checkout */
export function worldLine({ commit, clean }) {
  const bwrap = spawnSync('bwrap', ['--version'], { encoding: 'utf8' });
  const facts = [
    `commit ${commit === null ? 'none' : commit.slice(0, 8)}${clean ? '' : ' and changes'}`,
    bwrap.status === 0 ? `${bwrap.stdout.trim()} on PATH` : 'no bubblewrap on PATH',
    `Node ${process.version}`,
    `${os.availableParallelism()} cores`,
    `load ${os.loadavg()[0].toFixed(1)}`,
    `user ${process.getuid?.() === 0 ? 'root' : os.userInfo().username}`,
    `locale ${process.env.LC_ALL ?? process.env.LANG ?? 'none'}`,
    `in ${process.cwd()}`,
  ];
  return `world: ${facts.join(', ')}`;
}

/** CPU seconds of this process and of all ended processes below it; only Linux reports them. */
export function cpuSeconds() {
  if (process.platform !== 'linux') return NaN;
  const stat = readFileSync('/proc/self/stat', 'latin1');
  // After the name, which may hold spaces: utime, stime, cutime and cstime, in hundredths of a second.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return [11, 12, 13, 14].reduce((sum, index) => sum + Number(fields[index]), 0) / 100;
}
