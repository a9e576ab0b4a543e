import path from 'node:path';
import { missingAttributeLines } from '../../adapters/git/attributes';
import { locateRepository } from '../../adapters/git/locate';
import { missingPrettierLines } from '../../adapters/files/prettierIgnore';
import { otherStart } from '../../base/text/prettierStart';
import { terminal } from '../../base/text/marked/terminal';
import type { Output } from '../shell/output';

/** Prints the lines that keep git and Prettier from rewriting approved bytes, where they are missing. */
export async function printExactBytes(workspace: string, out: Output): Promise<void> {
  const attributes = await missingAttributeLines(workspace);
  if (attributes.length > 0)
    out.line(
      terminal`  hint: add these lines to .gitattributes, so that git never changes a line end of an approved plan or of evidence:`,
    );
  for (const line of attributes) out.line(terminal`        ${line}`);
  const prettier = await missingPrettierLines(workspace, (await locateRepository(workspace))?.top ?? workspace);
  if (prettier === null) return;
  const shown = (file: string): string => path.relative(workspace, file).replaceAll(path.sep, '/');
  const file = shown(prettier.file);
  out.line(
    terminal`  hint: add these lines to ${file}, so that Prettier rewrites neither an approved plan nor evidence:`,
  );
  for (const line of prettier.lines) out.line(terminal`        ${line}`);
  const { elsewhere } = prettier;
  if (elsewhere !== null)
    out.line(terminal`  hint: ${otherStart(file, { name: shown(elsewhere.file), lines: elsewhere.lines })}`);
}
