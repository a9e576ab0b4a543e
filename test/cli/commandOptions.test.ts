import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { commandLines, commandNamed } from '../../src/cli/commands';
import { parseCall, UsageError, type CommandSpec } from '../../src/cli/shell/command';
import type { Output } from '../../src/cli/shell/output';

const page = readFileSync('docs/reference/commands.md', 'utf8');

describe('mission: the options of each command', () => {
  const listed = new Map(commandLines.map((name) => [name, listedFor(name)]));
  const everyOption = new Set([...listed.values()].flat());

  it('stand in the reference for every command', () => {
    assert.ok(everyOption.size > 40, `${everyOption.size} options`);
    for (const [name, options] of listed) {
      assert.ok(options.includes('--help'), name);
      assert.equal(new Set(options).size, options.length, `${name} lists an option once`);
    }
  });

  for (const name of commandLines)
    it(`mission ${name}: takes what the reference lists, and of all other options none`, async () => {
      const spec = await commandNamed(name);
      assert.ok(spec);
      assert.deepEqual(
        [...everyOption].filter((option) => isTaken(spec, option)).sort(),
        [...(listed.get(name) ?? [])].sort(),
      );
    });
});

/** The options in the section of that command: the first word of each row, and those of its last line. */
function listedFor(name: string): readonly string[] {
  const section = page.split(/^#{2,3} /m).find((text) => text.startsWith(`mission ${name}\n`)) ?? '';
  const rows = [...section.matchAll(/^\| `(--[a-z-]+)/gm)].map(([, option = '']) => option);
  const line = /^(?:Options|Also): (.*)\.$/m.exec(section)?.[1] ?? '';
  return [...rows, ...[...line.matchAll(/`(--[a-z-]+)`/g)].map(([, option = '']) => option)];
}

/** Returns true if the parser takes the option, with a value or as a switch; --help keeps it from asking for the rest. */
function isTaken(spec: CommandSpec, option: string): boolean {
  return [[option], [`${option}=value`]].some((args) => {
    try {
      parseCall(spec, [...args, '--help'], noOutput, { directory: process.cwd(), environment: {} });
      return true;
    } catch (error) {
      if (error instanceof UsageError) return false;
      throw error;
    }
  });
}

/** The parser hands it on and writes nothing itself. */
const noOutput = {} as Output;
