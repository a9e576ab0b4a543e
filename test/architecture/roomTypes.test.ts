import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import ts from 'typescript';

/**
 * Enforcer 1: one TypeScript project per room. In the pure rooms neither Node nor the DOM has types, so their
 * globals do not compile. The fixtures are compiled with the options of the real room.
 */
const fixtures = path.join(process.cwd(), 'test/architecture/fixtures/room-types');

/** Compiles the fixture tree with the options of `room`. @returns findings as file -> line number -> messages. */
function compile(room: string): Map<string, Map<number, string[]>> {
  const { fileNames, options } = readProject(path.join(fixtures, room, 'tsconfig.json'));
  const program = ts.createProgram(fileNames, options);
  const findings = new Map<string, Map<number, string[]>>(fileNames.map((file) => [path.basename(file), new Map()]));
  for (const { file, start, messageText } of ts.getPreEmitDiagnostics(program)) {
    if (file === undefined || start === undefined) throw new Error(ts.flattenDiagnosticMessageText(messageText, '\n'));
    const lines = findings.get(path.basename(file.fileName)) ?? new Map<number, string[]>();
    const line = file.getLineAndCharacterOfPosition(start).line;
    lines.set(line, [...(lines.get(line) ?? []), ts.flattenDiagnosticMessageText(messageText, '\n')]);
  }
  return findings;
}

function readProject(file: string): ts.ParsedCommandLine {
  const parsed = ts.getParsedCommandLineOfConfigFile(file, undefined, {
    ...ts.sys,
    onUnRecoverableConfigFileDiagnostic: (diagnostic) => {
      throw new Error(ts.flattenDiagnosticMessageText(diagnostic.messageText, '\n'));
    },
  });
  if (parsed === undefined) throw new Error(`cannot read ${file}`);
  return parsed;
}

/** The lines of a fixture that name something forbidden in a trailing comment: [line number, name]. */
function forbiddenLines(file: string): readonly (readonly [number, string])[] {
  const lines = readFileSync(path.join(fixtures, file), 'utf8').split('\n');
  return lines.flatMap((text, line) => {
    const name = /[,;] \/\/ (\S+)$/.exec(text)?.[1];
    return name === undefined ? [] : [[line, name] as const];
  });
}

describe('types of the pure rooms', () => {
  for (const room of ['base', 'core', 'workers', 'engine']) {
    describe(room, () => {
      let findings: Map<string, Map<number, string[]>>;
      before(() => {
        findings = compile(room);
      });

      for (const file of ['world.ts', 'builtin.ts']) {
        for (const [line, name] of forbiddenLines(file)) {
          it(`does not know ${name}`, () => {
            const messages = findings.get(file)?.get(line) ?? [];
            assert.ok(
              messages.some((message) => message.startsWith('Cannot find') && message.includes(`'${name}'`)),
              `${file}:${line + 1} compiled: ${messages.join('; ')}`,
            );
          });
        }
      }

      it('compiles pure code', () => {
        assert.deepEqual(findings.get('pure.ts'), new Map());
      });
    });
  }

  it('`tsc -b` compiles every source file of the repository', () => {
    const projects = readProject('tsconfig.json').projectReferences ?? [];
    const compiled = new Set(
      projects.flatMap(({ path: folder }) => readProject(ts.resolveProjectReferencePath({ path: folder })).fileNames),
    );
    const sources = globSync(['src/**/*.{ts,tsx}', 'webview-ui/**/*.{ts,tsx}', 'test/**/*.ts'], {
      exclude: (name) => name.split(/[\\/]/).some((part) => ['fixtures', 'tools', 'node_modules'].includes(part)),
    });
    const missing = sources.filter((file) => !compiled.has(path.resolve(file).replaceAll('\\', '/')));
    assert.deepEqual(missing, []);
  });
});
