import { redactText } from '../../src/adapters/system/redact';
import { interleaved, threadTime, type Line } from './measure';

/** Redaction of ordinary output, and of texts that look to it as if they hid something everywhere. */
export async function redactionBench(megabytes = 4, rounds = 9): Promise<readonly Line[]> {
  const texts = {
    'ordinary output': 'compiled src/app.ts in 12 ms, 3 warnings\n',
    blanks: ' ',
    'blanks that nobody types': '\u00a0',
    'colours and words': '\u001b[1mok\u001b[0m 12 tests\r\n',
  };
  const times = await interleaved(
    rounds,
    threadTime,
    Object.values(texts).map((piece) => {
      const text = piece.repeat((megabytes * 1e6) / piece.length);
      return () => void redactText(text);
    }),
  );
  const rates = times.map((milliseconds) => megabytes / (milliseconds / 1000));
  return Object.keys(texts).map((name, at) => ({
    name: `redaction of ${name}`,
    unit: 'MB/s',
    ours: rates[at] ?? Number.NaN,
    against: at === 0 ? '(by itself)' : 'redaction of ordinary output',
    limit: at === 0 ? null : (rates[0] ?? null),
    aim: name.startsWith('blanks') ? { of: 'ratio', is: 'at_least', value: 0.1 } : null,
  }));
}
