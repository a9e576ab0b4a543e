import assert from 'node:assert/strict';
import { ui } from '../../../src/base/text/marked/ui';
import { logTo } from '../../../src/extension/window/log';

describe('the output channel', () => {
  it('gets one line for an entry, and every line of a cause with a mark in front', () => {
    const lines: string[] = [];
    const add = (text: string): void => void lines.push(...text.split('\n'));
    const log = logTo({ info: add, warn: add, error: add });
    const forged = 'a\n2026-01-01 [info] Plan approved\u001b[8m\u202e';
    log.info(ui`Save of ${forged}`);
    log.warn(ui`${forged}`);
    log.error(ui`Not started: ${forged}`, new Error(forged));
    log.error(ui`Not read`, forged);
    const [info, warn, error, ...cause] = lines;
    assert.match(info ?? '', /^Save of a\\n2026-01-01 \[info\] Plan approved\\x1b\[8m\\u202e$/);
    assert.match(warn ?? '', /^a\\n2026/);
    assert.match(error ?? '', /^Not started: a\\n2026/);
    assert.ok(cause.length >= 5, cause.join('\n'));
    assert.ok(
      cause.every((line) => line.startsWith('  | ') || line === 'Not read'),
      cause.join('\n'),
    );
    assert.ok(lines.every((line) => !line.includes('\u001b') && !line.includes('\u202e')));
  });
});
