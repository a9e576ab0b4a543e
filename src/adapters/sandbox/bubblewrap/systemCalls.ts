import { existsSync } from 'node:fs';

/** The descriptor from which bubblewrap reads the filter. */
export const filterDescriptor = 6;

/**
 * Calls of the kernel that reach beyond every namespace of bubblewrap. All others stay, because a filter that knows more
 * breaks builds and the sandboxes of CLIs inside it. Capabilities hold back those that only root could make.
 */
const denied: readonly Denied[] = [
  // Keys belong to the user and to the session, so a worker could read, change and plant them.
  { call: 'add_key', answer: 'EPERM' },
  { call: 'request_key', answer: 'EPERM' },
  { call: 'keyctl', answer: 'EPERM' },
  // A lease on a file that is only read lets every other program wait that writes it.
  { call: 'fcntl', answer: 'EPERM', argument: 1, values: [1024 /* F_SETLEASE */] },
  { call: 'fcntl64', answer: 'EPERM', argument: 1, values: [1024] },
  // The first process says how the launch ended, so a worker that holds it could say so in its place. No file of it
  // is there either, see `look.ts`.
  { call: 'ptrace', answer: 'EPERM', argument: 1, values: [1] },
  { call: 'process_vm_readv', answer: 'EPERM', argument: 0, values: [1] },
  { call: 'process_vm_writev', answer: 'EPERM', argument: 0, values: [1] },
  { call: 'pidfd_open', answer: 'EPERM', argument: 0, values: [1] },
  // The log of the kernel is one for the whole machine.
  { call: 'syslog', answer: 'EPERM' },
  // Other families reach past the network namespace, as AF_VSOCK reaches the host of a virtual machine.
  { call: 'socket', answer: 'EAFNOSUPPORT', argument: 0, except: [1, 2, 10, 16] /* UNIX, INET, INET6, NETLINK */ },
  // The old form hides its family from a filter. Each C library of today makes the new call first.
  { call: 'socketcall', answer: 'ENOSYS', argument: 0, values: [1 /* SYS_SOCKET */] },
  // Its rings make calls that no filter sees. Programs go on without it.
  { call: 'io_uring_setup', answer: 'ENOSYS' },
];

interface Denied {
  readonly call: Call;
  readonly answer: keyof typeof errors;
  /** Denied only if this argument has one of `values`, or none of `except`. */
  readonly argument?: 0 | 1;
  readonly values?: readonly number[];
  readonly except?: readonly number[];
}

type Call = keyof (typeof architectures)[number]['calls'];

const errors = { EPERM: 1, ENOSYS: 38, EAFNOSUPPORT: 97 } as const;

/** Numbers of the calls, by the kernel's number of the architecture; null: it has no such call. */
const architectures = [
  {
    name: 'x86_64',
    audit: 0xc000_003e,
    calls: {
      ...{ add_key: 248, request_key: 249, keyctl: 250, fcntl: 72, fcntl64: null },
      ...{ syslog: 103, socket: 41, socketcall: null, io_uring_setup: 425 },
      ...{ ptrace: 101, process_vm_readv: 310, process_vm_writev: 311, pidfd_open: 434 },
    },
  },
  {
    name: 'i386',
    audit: 0x4000_0003,
    calls: {
      ...{ add_key: 286, request_key: 287, keyctl: 288, fcntl: 55, fcntl64: 221 },
      ...{ syslog: 103, socket: 359, socketcall: 102, io_uring_setup: 425 },
      ...{ ptrace: 26, process_vm_readv: 347, process_vm_writev: 348, pidfd_open: 434 },
    },
  },
  {
    name: 'aarch64',
    audit: 0xc000_00b7,
    calls: {
      ...{ add_key: 217, request_key: 218, keyctl: 219, fcntl: 25, fcntl64: null },
      ...{ syslog: 116, socket: 198, socketcall: null, io_uring_setup: 425 },
      ...{ ptrace: 117, process_vm_readv: 270, process_vm_writev: 271, pidfd_open: 434 },
    },
  },
  {
    name: 'arm',
    audit: 0x4000_0028,
    calls: {
      ...{ add_key: 309, request_key: 310, keyctl: 311, fcntl: 55, fcntl64: 221 },
      ...{ syslog: 103, socket: 281, socketcall: null, io_uring_setup: 425 },
      ...{ ptrace: 26, process_vm_readv: 376, process_vm_writev: 377, pidfd_open: 434 },
    },
  },
] as const;

/** Says why this machine does not take the filter, as a sentence. Null: it takes it. */
export function whyUnfiltered(
  architecture: string = process.arch,
  filters: boolean = existsSync('/proc/sys/kernel/seccomp/actions_avail'),
): string | null {
  if (!['x64', 'ia32', 'arm64', 'arm'].includes(architecture))
    return `No calls of the kernel are denied in it, because their numbers on ${architecture} are not known.`;
  return filters ? null : 'No calls of the kernel are denied in it, because this kernel filters none.';
}

/**
 * The filter as the kernel takes it: classic BPF, eight bytes an instruction. One program holds all architectures,
 * because a process may make the calls of its 32-bit kind as well. Any other kind gets ENOSYS.
 */
export function systemCallFilter(): Buffer {
  const sections = architectures.flatMap(({ audit, calls }) => {
    const section = [load(0), ...wideCalls(audit), ...denied.flatMap((one) => rule(one, calls[one.call])), allow];
    return [unless(audit, section.length), ...section];
  });
  return Buffer.concat([load(4), ...sections, deny('ENOSYS')].map(encoded));
}

interface Instruction {
  readonly code: number;
  /** Instructions that are skipped where the condition does not hold. */
  readonly ifFalse?: number;
  readonly value: number;
}

/** Loads 32 bits of the call: its number at 0, its architecture at 4, its arguments from 16 on. */
function load(offset: number): Instruction {
  return { code: 0x20, value: offset };
}

/** Skips instructions where what was loaded has another value. */
function unless(value: number, skipped: number): Instruction {
  return { code: 0x15, ifFalse: skipped, value };
}

function deny(answer: keyof typeof errors): Instruction {
  return { code: 0x06, value: 0x0005_0000 | errors[answer] };
}

const allow: Instruction = { code: 0x06, value: 0x7fff_0000 };

/** x32, the calls of x86_64 with 32-bit pointers, has numbers of its own, from 0x40000000 on. */
function wideCalls(audit: number): readonly Instruction[] {
  return audit === architectures[0].audit ? [{ code: 0x35, ifFalse: 1, value: 0x4000_0000 }, deny('ENOSYS')] : [];
}

function rule({ answer, argument, values = [], except = [] }: Denied, number: number | null): readonly Instruction[] {
  if (number === null) return [];
  const judged =
    argument === undefined
      ? [deny(answer)]
      : [
          // The kernel reads the low half alone, which comes first on each of these architectures.
          load(16 + 8 * argument),
          ...values.flatMap((value) => [unless(value, 1), deny(answer)]),
          ...except.flatMap((value) => [unless(value, 1), allow]),
          except.length > 0 ? deny(answer) : allow,
        ];
  return [unless(number, judged.length), ...judged];
}

function encoded({ code, ifFalse = 0, value }: Instruction): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeUInt16LE(code, 0);
  bytes.writeUInt8(ifFalse, 3);
  bytes.writeUInt32LE(value >>> 0, 4);
  return bytes;
}
