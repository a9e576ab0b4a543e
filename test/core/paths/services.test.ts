import assert from 'node:assert/strict';
import { longestSocketPath } from '../../../src/contracts/vocabulary/services';
import { readNetworkService, serviceLines, servicesOf } from '../../../src/core/paths/services';

const read = (text: string): string => {
  const found = readNetworkService(text);
  return found.kind === 'problem' ? found.problem : found.kind;
};
const kinds = (texts: readonly string[]): readonly string[] => [...new Set(texts.map(read))];

describe('names of services', () => {
  it('have one spelling of a port', () => {
    assert.deepEqual(kinds(['localhost:1024', 'localhost:5432', 'localhost:65535']), ['port']);
    const odd = ['localhost:05432', 'LOCALHOST:5432', 'localhost:5432 ', 'localhost:5432\n', 'localhost:+5432'];
    const others = ['127.0.0.1:5432', '[::1]:5432', 'localhost:٥٤٣٢', 'localhost:5432/x', 'localhost:', ':5432', ''];
    for (const text of [...odd, ...others]) assert.match(read(text), /^is neither localhost:PORT nor unix/, text);
    assert.deepEqual(
      servicesOf(['localhost:5432', 'localhost:5432', 'unix:/run/a', 'unix:/run/a'], ['/dev/kvm', '/dev/kvm']),
      {
        ports: [5432],
        sockets: ['/run/a'],
        devices: ['/dev/kvm'],
      },
    );
  });

  it('may hold odd characters, and none that a file name cannot have', () => {
    assert.deepEqual(kinds([`unix:/run/it's "a", b=c;ü%20 $x:1.sock`, 'unix:/run/-x', 'unix:/run/...']), ['socket']);
    for (const text of ['\0', '\n', '\u007f', '\\', '*', '?', '\ud800', '\udc00x'])
      assert.match(read(`unix:/run/a${text}.sock`), /^holds a character that no such name has/, JSON.stringify(text));
    for (const text of ['//run/x', '/run//x', '/run/./x', '/run/../x', '/run/x/', '/'])
      assert.match(read(`unix:${text}`), /^is not the plain path/, text);
  });

  it('are as long as the system takes them, in bytes', () => {
    const at = (count: number, letter: string): string => `unix:/${letter.repeat(count)}`;
    for (const [letter, bytes] of [
      ['a', 1],
      ['ü', 2],
      ['€', 3],
      ['😀', 4],
    ] as const) {
      const most = Math.floor((longestSocketPath - 1) / bytes);
      assert.equal(read(at(most, letter)), 'socket', letter);
      assert.match(read(at(most + 1, letter)), /^is longer than the 107 bytes/, letter);
    }
  });

  it('say what a device leads to where it is more than a device', () => {
    const line = (device: string): string => serviceLines({ ports: [], sockets: [], devices: [device] })[0] ?? '';
    const typing = [
      '/dev/tty',
      '/dev/tty1',
      '/dev/pts/3',
      '/dev/console',
      '/dev/input/event0',
      '/dev/uinput',
      '/dev/vcs1',
    ];
    for (const device of [...typing, '/dev/hidraw0'])
      assert.equal(line(device), `${device}, which is a terminal or a keyboard: what types there acts as this user`);
    for (const device of ['/dev/kvm', '/dev/ttyUSB0', '/dev/ttyACM0', '/dev/dri/renderD128', '/dev/fuse'])
      assert.equal(line(device), device);
  });
});
