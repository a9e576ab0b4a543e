// The page of the extension in VS Code: README.md and the guide as one page that needs no other file.
//
// VS Code's page of an extension shows only pictures of a web server. This extension has no web
// server. VS Code follows links into the page and to the web. So pictures are left out, links to
// guide pages lead to their chapters, and other links are text (decision 92).
import path from 'node:path';

/** The section of README.md that says what a reader does next in VS Code. */
const firstSection = 'First mission';
/** Chapters after README.md, in their order; the first is the table of the others. */
const firstChapter = 'docs/guide/README.md';
/** The page that the first section stands for. */
const firstMission = 'docs/getting-started.md';
/** Sections for readers who have the repository. A paragraph that leads to one is left out as well. */
const leftOut = new Set(['From a clone', 'Recipes', 'Reference', 'Where it is tested', 'More']);
const leadsToLeftOut = new RegExp(`\\]\\(#(?:${[...leftOut].map(anchorOf).join('|')})\\)`);

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

/** Text and fenced code in turns, without what is left out; the headings of a chapter are one level lower. */
function blocksOf(file, text) {
  const isChapter = file !== 'README.md';
  const [title, ...sections] = text.split(/^(?=## )/m);
  return [title, ...sections.filter((section) => !leftOut.has(titleOf(section)))]
    .join('')
    .split(/^(```[^]*?^```\n)/m)
    .map((part, index) => {
      if (index % 2 === 1) return { isCode: true, text: part };
      const said = part.split('\n\n').filter((paragraph) => !leadsToLeftOut.test(paragraph));
      return { isCode: false, text: isChapter ? said.join('\n\n').replaceAll(/^#/gm, '##') : said.join('\n\n') };
    });
}

function titleOf(section) {
  return /^## (.*)/.exec(section)?.[1] ?? '';
}

/** The anchor of a heading, as VS Code makes it. */
function anchorOf(title) {
  return title
    .toLowerCase()
    .replaceAll(/[^\w\s-]/g, '')
    .replaceAll(/\s/g, '-');
}

/** file -> the anchor of its title: a heading that comes again gets a number. */
function anchorsOf(parts) {
  const used = new Map();
  const anchors = new Map([[firstMission, anchorOf(firstSection)]]);
  for (const { file, blocks } of parts)
    for (const { text, isCode } of blocks) {
      if (isCode) continue;
      for (const [, title] of text.matchAll(/^#+ (.*)/gm)) {
        const anchor = anchorOf(title);
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
