import { open, unlink, type FileHandle } from 'node:fs/promises';

/** Bytes. The tail is kept in `segments` full parts of equal size and one that is being filled. */
export interface LogLimits {
  readonly head: number;
  readonly tail: number;
  readonly segments: number;
}
/** The first 8 MB and the last 64 MB; the disk holds at most 88 MB at any time. */
const logLimits: LogLimits = { head: 8 * 1024 * 1024, tail: 64 * 1024 * 1024, segments: 4 };

export interface LogFile {
  /** Rejects with the file system's own error (ENOSPC ...). */
  write(text: string): Promise<void>;
  /** Appends the tail to the head, with a line about the missing bytes. Resolves with the file's size. */
  close(): Promise<number>;
}

/** A log of bounded size and memory: the head in the file itself, the tail in `<file>.part-<n>` until `close`. */
export async function createLogFile(file: string, limits: LogLimits = logLimits): Promise<LogFile> {
  const head = await open(file, 'wx', 0o600);
  const segmentSize = Math.ceil(limits.tail / limits.segments);
  const parts: { readonly path: string; size: number }[] = [];
  let headSize = 0;
  let dropped = 0;
  let named = 0;
  let current: FileHandle | null = null;

  const nextPart = async (): Promise<FileHandle> => {
    await current?.close();
    if (parts.length > limits.segments) {
      const oldest = parts.shift();
      if (oldest !== undefined) {
        dropped += oldest.size;
        await unlink(oldest.path);
      }
    }
    named += 1;
    const path = `${file}.part-${named}`;
    current = await open(path, 'wx', 0o600);
    parts.push({ path, size: 0 });
    return current;
  };
  const writeTail = async (bytes: Buffer): Promise<void> => {
    for (let at = 0; at < bytes.length;) {
      let part = parts.at(-1);
      if (current === null || part === undefined || part.size >= segmentSize) {
        current = await nextPart();
        part = parts.at(-1);
      }
      if (part === undefined) return;
      const piece = bytes.subarray(at, at + segmentSize - part.size);
      await writeAll(current, piece);
      part.size += piece.length;
      at += piece.length;
    }
  };

  return {
    async write(text) {
      const bytes = Buffer.from(text);
      const toHead = bytes.subarray(0, limits.head - headSize);
      if (toHead.length > 0) await writeAll(head, toHead);
      headSize += toHead.length;
      if (toHead.length < bytes.length) await writeTail(bytes.subarray(toHead.length));
    },
    async close() {
      try {
        await current?.close();
        let skip = parts.reduce((sum, part) => sum + part.size, 0) - limits.tail;
        dropped += Math.max(0, skip);
        if (dropped > 0) await writeAll(head, Buffer.from(`\n[${dropped} bytes left out]\n`));
        for (const part of parts) {
          await append(head, part.path, Math.max(0, skip));
          skip -= part.size;
          await unlink(part.path);
        }
        return (await head.stat()).size;
      } finally {
        await head.close();
      }
    },
  };
}

async function writeAll(handle: FileHandle, bytes: Buffer): Promise<void> {
  for (let at = 0; at < bytes.length;) at += (await handle.write(bytes, at, bytes.length - at)).bytesWritten;
}

async function append(target: FileHandle, path: string, from: number): Promise<void> {
  const source = await open(path, 'r');
  try {
    const buffer = Buffer.allocUnsafe(1024 * 1024);
    for (let at = from; ;) {
      const { bytesRead } = await source.read(buffer, 0, buffer.length, at);
      if (bytesRead === 0) return;
      await writeAll(target, buffer.subarray(0, bytesRead));
      at += bytesRead;
    }
  } finally {
    await source.close();
  }
}
