import { refused, type Outcome } from '../../base/outcome';
import { mostSiblings } from '../../contracts/vocabulary/confinement';
import { written, type HardLinks } from './facts';
import type { SandboxLine } from '../../engine/ports/sandbox';

/** The refusal of a launch that could change files outside through more hard links than can be kept read-only. */
export function refusedHardLinks(
  { files, example: at }: Extract<HardLinks, { kind: 'too_many' }>,
  workspace: string,
): Outcome<SandboxLine> {
  const example = written(at, workspace);
  return refused(
    'HARD_LINKS_LEAD_OUT',
    `${files} files that the launch may write are hard links to files outside, such as ${example}. A write to one changes the other file, too. A sandbox keeps at most ${mostSiblings} of them read-only. ${mendHardLinks(at)}`,
    'Make the files copies, as the sentence says, then retry.',
  );
}

/** Of a scan that ended before everything was seen. */
export const tooManyToScan =
  'There are too many files to look through for hard links: not all that lead out are read-only.';

/** The setting of what made the links, by where such links lie. */
export function mendHardLinks(example: string): string {
  const after = 'then remove that folder and install again.';
  if (/\/node_modules\/\.pnpm\//.test(example))
    return `With pnpm set \`package-import-method=copy\` (.npmrc, or \`packageImportMethod: copy\` in pnpm-workspace.yaml), ${after}`;
  if (example.includes('/node_modules/'))
    return `With pnpm set \`package-import-method=copy\`, with Bun install by \`bun install --backend=copyfile\`, with Yarn set \`nmMode: classic\`, ${after}`;
  if (/\/(?:site-packages|\.venv|conda-meta)\//.test(example))
    return `With uv set \`link-mode = "copy"\` (or UV_LINK_MODE=copy), with conda \`always_copy: true\`, ${after}`;
  return 'Replace that folder by a copy of itself (`cp -a FOLDER COPY`), in which each file is one of its own.';
}
