// The page of the extension in VS Code: README.md and the guide as one page that needs no other file.
//
// VS Code's page of an extension shows only pictures of a web server. This extension has no web
// server. VS Code follows links into the page and to the web. So pictures are left out, links to
// guide pages lead to their chapters, and other links are text.
import path from 'node:path';

/** Chapters after README.md, in their order; the first is the table of the others. */
const firstChapter = 'docs/guide/README.md';
/** Sections for readers who have the repository. */
const leftOut = new Set(['From a clone', 'Recipes', 'Reference', 'Where it is tested', 'More']);

/** The page, from the bytes of files below the root. */
export function extensionPage(read) {
  const text = (file) => read(file).toString('utf8');
  const chapters = [firstChapter, ...linked(text(firstChapter), 'docs/guide')];
  const parts = ['README.md', ...chapters].map((file) => ({ file, blocks: blocksOf(file, text(file)) }));
  const anchors = anchorsOf(parts);
  const lines = parts.flatMap(({ file, blocks }) =>
    blocks.map((block) => (block.isCode ? block.text : standAlone(block.text, path.posix.dirname(file), anchors))),
  );
  return `${lines
    .join('\n')
    .replaceAll(/\n{3,}/g, '\n\n')
    .trimEnd()}\n`;
}

/** The guide pages that the table names. */
function linked(text, folder) {
  return [...text.matchAll(/^\| \[[^\]]*\]\(([\w-]+\.md)\)/gm)].map(([, name]) => `${folder}/${name}`);
}

/** Text and fenced code in turns, without the sections that are left out; the headings of a chapter are one level lower. */
function blocksOf(file, text) {
  const isChapter = file !== 'README.md';
  const kept = text.split(/^(?=## )/m).filter((section) => !leftOut.has(/^## (.*)/.exec(section)?.[1] ?? ''));
  return kept
    .join('')
    .split(/^(```[^]*?^```\n)/m)
    .map((part, index) => ({
      isCode: index % 2 === 1,
      text: index % 2 === 0 && isChapter ? part.replaceAll(/^#/gm, '##') : part,
    }));
}

/** file -> the anchor of its title: a heading that comes again gets a number. */
function anchorsOf(parts) {
  const used = new Map();
  const anchors = new Map();
  for (const { file, blocks } of parts)
    for (const { text, isCode } of blocks) {
      if (isCode) continue;
      for (const [, title] of text.matchAll(/^#+ (.*)/gm)) {
        const anchor = title
          .toLowerCase()
          .replaceAll(/[^\w\s-]/g, '')
          .replaceAll(/\s/g, '-');
        const before = used.get(anchor) ?? 0;
        used.set(anchor, before + 1);
        if (!anchors.has(file)) anchors.set(file, before === 0 ? anchor : `${anchor}-${before}`);
      }
    }
  return anchors;
}

function standAlone(text, folder, anchors) {
  return text
    .replaceAll(/ *<details><summary>[^<]*<\/summary><img [^>]*><\/details>/g, '')
    .replaceAll(/^ *!\[[^\]]*\]\([^)]*\)\n|!\[[^\]]*\]\([^)]*\)/gm, '')
    .replaceAll(/\[([^\]]*)\]\(([^)]*)\)/g, (whole, words, target) => {
      if (/^(https:|#)/.test(target)) return whole;
      const anchor = anchors.get(path.posix.join(folder, target.replace(/#.*$/, '')));
      return anchor === undefined ? words : `[${words}](#${anchor})`;
    });
}
