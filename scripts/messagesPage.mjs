// .artifacts/messages.md: every message with what it means and what to do next.
import path from 'node:path';
import { code } from './reference/markdown.mjs';

/**
 * The page, in the sections of `messageSections`. A message whose code is in no list of codes is an
 * error. So is a code that neither a message has nor `silent` names.
 */
export function messagesPage(messages, sections) {
  const problems = [];
  const lines = [
    '# Messages',
    '',
    'What Mission Control says to a person when it refuses, finds or needs something, with examples for what it fills in. The page has every sentence that stands in the sources with a code. It lists some of the sentences about the shape of a document, and one for all faults of the system. What workers, git and SQLite say is passed on as it is. [Codes](../docs/reference/codes.md) has the codes alone. Written from the sources by `npm run messages`; `scripts/messageExamples.mjs` holds the examples.',
    '',
  ];
  for (const section of sections) lines.push(...sectionLines(section, messages.filter(section.of), problems));
  if (problems.length > 0) throw new Error(problems.join('\n'));
  return `${lines.join('\n').trimEnd()}\n`;
}

/** Says which messages belong together, who shows them, and which closed list has their codes. */
export function messageSections(tables) {
  const { findingMeanings, contractMeanings, contractSteps, reasonMeanings, eventMeanings } = tables;
  const { refusalMeanings, callMeanings, toolMeanings, evidenceSeverities, codeSteps } = tables;
  return [
    {
      title: 'Findings in documents',
      shownBy:
        'By `mission check`, `mission plan validate`, `mission run` and in the Problems panel, with line and column. The sentence says what to do. Every kind of document has the same errors of shape, with the names of its fields.',
      of: ({ kind, file }) => kind === 'finding' || (kind === 'stop' && !endsMission(file) && !endsSession(file)),
      codes: withSteps({ ...findingMeanings, ...contractMeanings }, { ...codeSteps.findings, ...contractSteps }),
      // Codes of the contract that these documents themselves cannot break.
      silent: ['TASK_TIMEOUT', 'INVALID_TRANSITION', 'CONCURRENCY_CONFLICT'],
    },
    {
      title: 'Refusals',
      shownBy: 'By the command that was refused, in the terminal and in VS Code; in the journal. Nothing was changed.',
      of: ({ kind, code }) =>
        kind === 'refusal' && code !== 'OK' && code !== 'USAGE' && !(code in toolMeanings) && !(code in eventMeanings),
      codes: withSteps({ ...contractMeanings, ...refusalMeanings, ...callMeanings }, codeSteps.refusals),
      // The codes of a session have a list of their own.
      silent: [
        ...Object.keys(contractMeanings),
        'USAGE',
        'LAUNCH_REFUSED',
        'ORCHESTRATOR_UNAVAILABLE',
        'ORCHESTRATOR_LIMIT',
      ],
    },
    {
      title: 'Refusals of the mission tools',
      shownBy:
        'By the MCP server of an orchestrator session, to the model; in the transcript of the session. Those of the owner stand above.',
      of: ({ kind, code }) => kind === 'refusal' && code in toolMeanings,
      codes: withSteps(toolMeanings, codeSteps.refusals),
      silent: [],
    },
    {
      title: 'Answers of the event server',
      shownBy: 'By `mission events serve`, over HTTP, as JSON with the status that belongs to the code.',
      of: ({ kind, code }) => kind === 'refusal' && code in eventMeanings,
      codes: withSteps(eventMeanings, codeSteps.events),
      silent: [],
    },
    {
      title: 'Why a task stands still',
      shownBy:
        'By `mission run` and `mission status`, in Mission Control, in a notification and in the recovery packet, with the steps that are possible.',
      of: ({ kind, code, file }) =>
        kind === 'stop' && endsMission(file) && !endsSession(file) && code in reasonMeanings,
      codes: withSteps(reasonMeanings, codeSteps.reasons),
      // Codes for documents of other authors; no sentence of ours has these.
      silent: [
        'dirty_worktree',
        'validator_report_failed',
        'missing_validation_report',
        'no_runnable_pending_work',
        'permission_recovery_exhausted',
        'budget_exceeded',
      ],
    },
    {
      title: 'What a mission ends with, and why the runner stops',
      shownBy:
        'In the header and the summary of the evidence, by `mission run` and `mission status`, in Mission Control.',
      of: ({ kind, code, file }) =>
        kind === 'stop' && endsMission(file) && !endsSession(file) && !(code in reasonMeanings),
      codes: withSteps(tables.endMeanings, codeSteps.ends),
      silent: ['NON_COMPLIANT', 'INVARIANT_BROKEN'],
    },
    {
      title: 'What becomes of a session of the runtime orchestrator',
      shownBy:
        'By `mission run` and `mission status`, in Mission Control and in the journal. The packet stays open, and a person decides.',
      of: ({ kind, file }) => kind === 'stop' && endsSession(file),
      codes: withSteps(tables.sessionMeanings, codeSteps.sessions),
      silent: [],
    },
    {
      title: 'Findings about evidence',
      shownBy: 'By `mission evidence verify`, with the file. Only errors make evidence invalid.',
      of: ({ kind }) => kind === 'evidence',
      codes: withSteps(tables.evidenceMeanings, tables.evidenceSteps, (code) => evidenceSeverities[code] ?? 'error'),
      silent: [],
    },
    {
      title: 'Findings about the audit log',
      shownBy:
        'By `mission audit verify`, with the record: its task, attempt and invocation, and its event of the journal or line of the file. Only errors make an audit log invalid.',
      of: ({ kind }) => kind === 'audit',
      codes: withSteps(tables.auditMeanings, tables.auditSteps, (code) => (code === 'AUDIT_OPEN' ? 'info' : 'error')),
      silent: [],
    },
    {
      title: 'Findings about the memory',
      shownBy:
        'By `mission memory verify`, with file and line, and where a task cannot begin or cannot be saved because of them. Nothing of a damaged memory is used.',
      of: ({ kind }) => kind === 'memory',
      codes: withSteps(tables.memoryMeanings, tables.memorySteps, () => 'error'),
      silent: [],
    },
    {
      title: 'What the doctor finds',
      shownBy: 'By `mission doctor` and the command *Doctor*.',
      of: ({ kind, steps }) => kind === 'doctor' && steps.length > 0,
      codes: null,
      silent: [],
    },
    {
      title: 'Mistakes in a call',
      shownBy: 'By the command line, code USAGE, exit code 2; the next step is the help of the command.',
      of: ({ kind, code }) => kind === 'usage' || (kind === 'refusal' && code === 'USAGE'),
      codes: withSteps({ USAGE: callMeanings.USAGE }, codeSteps.refusals),
      silent: [],
    },
  ];
}

function sectionLines({ title, shownBy, codes, silent }, messages, problems) {
  const byCode = new Map();
  for (const message of messages) byCode.set(message.code, [...(byCode.get(message.code) ?? []), message]);
  for (const code of byCode.keys())
    if (codes !== null && !Object.hasOwn(codes, code))
      problems.push(
        `${title}: ${code} has no meaning (${byCode
          .get(code)
          .map(({ file, line }) => `${file}:${line}`)
          .join(', ')})`,
      );
  for (const code of Object.keys(codes ?? {}))
    if (!byCode.has(code) && !silent.includes(code)) problems.push(`${title}: no message has the code ${code}`);
  const names = codes === null ? [...byCode.keys()] : Object.keys(codes).filter((code) => byCode.has(code));
  return [
    `## ${title}`,
    '',
    shownBy,
    '',
    ...names.flatMap((code) => {
      const { severity, meaning, next } = codes?.[code] ?? {};
      const words = [severity && `${severity}:`, meaning, next && `Next: ${next}`].filter(Boolean).join(' ');
      return [
        `### ${code}`,
        '',
        ...(words === '' ? [] : [words, '']),
        ...unique(byCode.get(code)).flatMap(messageLines),
        '',
      ];
    }),
  ];
}

function messageLines({ text, steps, file }) {
  const where = file.startsWith('src/cli/') ? ' (terminal)' : file.startsWith('src/extension/') ? ' (VS Code)' : '';
  return [`- ${code(text)}${where}`, ...steps.map((step) => `  - next: ${code(step)}`)];
}

/**
 * Returns whether the file ends a mission or a task, or stops the runner; in other files the same shape is about a
 * document.
 */
function endsMission(file) {
  return /^src\/(?:core\/(?:mission|lifecycle|evidence|view)|engine\/effects|adapters\/(?:journal|state))/.test(file);
}

function endsSession(file) {
  return /\/(?:mission\/orchestrator\/\w+|\w*[oO]rchestrator\w*|answerRequest|request|outbox)\.ts$/.test(file);
}

function unique(messages) {
  const seen = new Set();
  return messages.filter(({ text, steps, file }) => {
    const key = `${text} ${steps.join(' ')} ${path.posix.dirname(file)}`;
    return !seen.has(key) && seen.add(key);
  });
}

/** Throws where a code has no step in `scripts/reference/codeSteps.json`, or a step there no code. */
export function stepsMustBeWhole({ codeSteps, findingMeanings, contractMeanings, ...tables }) {
  const { refusalMeanings, callMeanings, toolMeanings, reasonMeanings, endMeanings } = tables;
  const codes = {
    findings: Object.keys(findingMeanings).filter((code) => !(code in contractMeanings)),
    // Codes of the contract by which a handoff is refused have a step of their own here.
    refusals: Object.keys({ ...refusalMeanings, ...callMeanings, ...toolMeanings }).concat(refusedHandoffs),
    reasons: Object.keys(reasonMeanings),
    ends: Object.keys(endMeanings),
    sessions: Object.keys(tables.sessionMeanings),
    events: Object.keys(tables.eventMeanings),
  };
  for (const [list, steps] of Object.entries(codeSteps)) {
    const other = [...new Set([...codes[list], ...Object.keys(steps)])].filter(
      (code) => !codes[list].includes(code) || !steps[code],
    );
    if (other.length > 0) throw new Error(`codeSteps.json: ${list} differ from their codes: ${other.join(', ')}`);
  }
}

/** The codes of the contract by which a handoff is refused. */
const refusedHandoffs = ['SCHEMA_INVALID', 'MISSING_REQUIRED_INPUT', 'UNTRUSTED_CONTEXT_BLOCK'];

/** @param severityOf absent: these codes have none */
function withSteps(meanings, steps, severityOf) {
  return Object.fromEntries(
    Object.entries(meanings).map(([code, meaning]) => [
      code,
      { severity: severityOf?.(code), meaning, next: steps[code] },
    ]),
  );
}
