import type { HandoffCheck } from '../engine/handoffChecks';
import type { HandoffResumption } from './missionFolder';

/** The two lists of the contract, item by item, and what became of the handoff. */
export function handoffPage(source: string, { answer, checks, notes }: HandoffResumption): string {
  const list = (name: HandoffCheck['list'], title: string): readonly string[] => {
    const items = checks.filter((check) => check.list === name);
    return items.length === 0 ? [] : [`## ${title}`, '', ...items.map(item), ''];
  };
  return [
    '# Mission Control: Resume Handoff',
    '',
    code(source),
    '',
    ...list('session_reset', 'Session reset protocol'),
    ...list('minimal_start', 'Minimal start checklist'),
    '## Outcome',
    '',
    answer.accepted ? line(answer.reason) : `**Refused (${answer.code}).** ${line(answer.reason)}`,
    '',
    ...[...notes, ...answer.next].map((step) => `- ${line(step)}`),
    '',
  ].join('\n');
}

function item({ item: words, result, code: found, detail }: HandoffCheck): string {
  const mark = result === 'passed' ? '[x]' : '[ ]';
  const what = result === 'failed' ? ` **${found ?? ''}**` : '';
  const more = result === 'not_reached' ? 'not reached' : line(detail);
  return `- ${mark} ${words.replace(/\.$/, '')}${what}${more === '' ? '' : `: ${more}`}`;
}

/** Texts of a bundle are somebody else's: one line, and no links or pictures. */
function line(text: string): string {
  return text.replace(/\s+/g, ' ').replace(/[[\]<>`*_!]/g, '\\$&');
}

function code(text: string): string {
  return `    ${text.replace(/\s+/g, ' ')}`;
}
