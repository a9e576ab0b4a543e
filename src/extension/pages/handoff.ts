import { code, inMarkdown, type MarkdownText, type MarkdownValue } from '../../base/text/marked/markdown';
import { quotedItems, type HandoffCheck } from '../../engine/handoff/checks';
import type { HandoffResumption } from '../folder/missionFolders';

export function handoffPage(source: string, { answer, checks, notes }: HandoffResumption): MarkdownText {
  const list = (name: HandoffCheck['list'], title: string): readonly MarkdownValue[] => {
    const items = checks.filter((check) => check.list === name);
    return items.length === 0 ? [] : [inMarkdown`## ${title}`, '', ...items.map(item), ''];
  };
  return inMarkdown.lines([
    inMarkdown`# Mission Control: Resume Handoff`,
    '',
    code(source),
    '',
    ...(checks.length === 0 ? [] : [inMarkdown`${quotedItems}`, '']),
    ...list('session_reset', 'Session reset protocol'),
    ...list('minimal_start', 'Minimal start checklist'),
    inMarkdown`## Outcome`,
    '',
    answer.accepted ? inMarkdown`${answer.reason}` : inMarkdown`**Refused (${answer.code}).** ${answer.reason}`,
    '',
    ...[...notes, ...answer.next].map((step) => inMarkdown`- ${step}`),
    '',
  ]);
}

function item({ item: words, result, code: found, detail }: HandoffCheck): MarkdownText {
  const mark = result === 'passed' ? inMarkdown`[x]` : inMarkdown`[ ]`;
  const what = result === 'failed' ? inMarkdown` **${found ?? ''}**` : '';
  const more = result === 'not_reached' ? 'not reached' : detail;
  return inMarkdown`- ${mark} ${words.replace(/\.$/, '')}${what}${more === '' ? '' : inMarkdown`: ${more}`}`;
}
