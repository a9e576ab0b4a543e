import assert from 'node:assert/strict';
import { systemCallFilter, whyUnfiltered } from '../../../../src/adapters/sandbox/bubblewrap/systemCalls';

const kinds = { x86_64: 0xc000_003e, i386: 0x4000_0003, aarch64: 0xc000_00b7, arm: 0x4000_0028, riscv64: 0xc000_00f3 };

/** What the kernel would answer: the number of an error, or 0 where the call is made. */
function answer(kind: keyof typeof kinds, number: number, ...parameters: readonly number[]): number {
  const call = Buffer.alloc(64);
  call.writeUInt32LE(number, 0);
  call.writeUInt32LE(kinds[kind], 4);
  for (const [index, value] of parameters.entries()) call.writeUInt32LE(value >>> 0, 16 + 8 * index);
  const program = systemCallFilter();
  for (let at = 0, loaded = 0; ; at += 8) {
    const [code, ifTrue, ifFalse] = [program.readUInt16LE(at), program.readUInt8(at + 2), program.readUInt8(at + 3)];
    const value = program.readUInt32LE(at + 4);
    if (code === 0x20) loaded = call.readUInt32LE(value);
    else if (code === 0x15) at += 8 * (loaded === value ? ifTrue : ifFalse);
    else if (code === 0x35) at += 8 * (loaded >= value ? ifTrue : ifFalse);
    else if (code === 0x06) return value === 0x7fff_0000 ? 0 : value & 0xffff;
    else assert.fail(`${code} is no instruction`);
  }
}

const [EPERM, ENOSYS, EAFNOSUPPORT] = [1, 38, 97];
const [setLease, getLease, setFlags] = [1024, 1025, 4];
const [unix, inet, inet6, netlink, alg, vsock] = [1, 2, 10, 16, 38, 40];

describe('filter of system calls', () => {
  // Numbers out of the headers of the kernel: add_key, request_key, keyctl, syslog, fcntl, socket, io_uring_setup; then
  // ptrace, process_vm_readv, process_vm_writev.
  for (const [kind, keys, log, control, socket, [trace, ...memory]] of [
    ['x86_64', [248, 249, 250], 103, [72], 41, [101, 310, 311]],
    ['i386', [286, 287, 288], 103, [55, 221], 359, [26, 347, 348]],
    ['aarch64', [217, 218, 219], 116, [25], 198, [117, 270, 271]],
    ['arm', [309, 310, 311], 103, [55, 221], 281, [26, 376, 377]],
  ] as const) {
    it(`denies keys, the log, leases, rings and other families on ${kind}`, () => {
      for (const number of [...keys, log]) assert.equal(answer(kind, number), EPERM, `${number}`);
      assert.equal(answer(kind, 425), ENOSYS);
      for (const number of control) {
        assert.equal(answer(kind, number, 3, setLease), EPERM);
        for (const other of [getLease, setFlags]) assert.equal(answer(kind, number, 3, other), 0);
      }
      for (const family of [alg, vsock]) assert.equal(answer(kind, socket, family), EAFNOSUPPORT);
      for (const family of [unix, inet, inet6, netlink]) assert.equal(answer(kind, socket, family), 0);
    });

    it(`denies a hold on the first process, and on no other, on ${kind}`, () => {
      for (const [pid, denied] of [
        [1, EPERM],
        [2, 0],
      ] as const) {
        assert.equal(answer(kind, trace, 16, pid), denied);
        for (const number of [...memory, 434]) assert.equal(answer(kind, number, pid), denied, `${number}`);
      }
    });

    it(`lets every other call be made on ${kind}`, () => {
      const denied = [...keys, log, 425, ...control, socket, ...(kind === 'i386' ? [102] : [])];
      for (let number = 0; number < 600; number += 1)
        if (!denied.some((one) => one === number)) assert.equal(answer(kind, number), 0, `${number}`);
    });
  }

  it('denies the old form of a socket, and calls of a kind that it does not know', () => {
    assert.equal(answer('i386', 102, 1), ENOSYS);
    assert.equal(answer('i386', 102, 3), 0);
    assert.equal(answer('x86_64', 0x4000_0000 + 250), ENOSYS);
    assert.equal(answer('riscv64', 1), ENOSYS);
  });

  it('says why a machine does not take it', () => {
    assert.equal(whyUnfiltered('arm64', true), null);
    assert.match(whyUnfiltered('riscv64', true) ?? '', /riscv64/);
    assert.match(whyUnfiltered('x64', false) ?? '', /kernel/);
  });
});
