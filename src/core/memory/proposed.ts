import type { ProposedMemory } from '../../contracts/memory';
import { memoryDomains, memoryKeyPattern, memoryLimits } from '../../contracts/vocabulary/memory';
import { isObject, quoted, textAt, valueAt, type JsonObject, pointerToken } from '../../base/json';
import { collectFindings, type AddFinding, type Finding } from '../documents/finding';
import { judgeSecrets } from '../documents/secrets';

/** A member of a result packet with what its worker proposes to remember. */
export const memoryMember = 'x_memory';

export type ReadProposals =
  | { readonly ok: true; readonly entries: readonly ProposedMemory[] }
  | { readonly ok: false; readonly findings: readonly Finding[] };

/** Reads `x_memory` of a packet of any shape; absent and null propose nothing. A worker wrote everything in it. */
export function readProposals(packet: unknown): ReadProposals {
  const value = valueAt(packet, memoryMember);
  const { report, list } = collectFindings();
  judgeProposals(value, report);
  if (list.length > 0) return { ok: false, findings: list };
  const entries = (Array.isArray(value) ? (value as readonly JsonObject[]) : []).map((entry) => ({
    domain: entry['domain'] as ProposedMemory['domain'],
    key: entry['key'] as string,
    decision: (entry['decision'] as string).trim(),
    rationale: (entry['rationale'] as string).trim(),
    supersedes: (entry['supersedes'] as number | null | undefined) ?? null,
  }));
  return { ok: true, entries };
}

export function judgeProposals(value: unknown, report: AddFinding): void {
  const at = `/${memoryMember}`;
  if (value === undefined || value === null) return;
  if (!Array.isArray(value)) {
    report('SCHEMA_INVALID', at, `${memoryMember} must be a list of entries, not ${quoted(value)}.`);
    return;
  }
  const { entries } = memoryLimits;
  if (value.length > entries) {
    report('SCHEMA_INVALID', at, `${memoryMember} has at most ${entries} entries, not ${value.length}.`);
    return;
  }
  for (const [index, entry] of value.entries()) judgeEntry(entry, `${at}/${index}`, report);
}

const members = ['domain', 'key', 'decision', 'rationale', 'supersedes'];

function judgeEntry(entry: unknown, at: string, report: AddFinding): void {
  if (!isObject(entry)) {
    report('SCHEMA_INVALID', at, `An entry must be an object with domain, key, decision and rationale.`);
    return;
  }
  const foreign = Object.keys(entry).find((name) => !members.includes(name));
  if (foreign !== undefined) {
    const pointer = `${at}/${pointerToken(foreign.slice(0, 80))}`;
    report('SCHEMA_INVALID', pointer, `An entry has no member ${quoted(foreign)}.`);
  }
  const domain = valueAt(entry, 'domain');
  if (!(memoryDomains as readonly unknown[]).includes(domain)) {
    const message = `"domain" must be one of ${memoryDomains.join(', ')}, not ${quoted(domain)}.`;
    report('SCHEMA_INVALID', `${at}/domain`, message);
  }
  const key = textAt(entry, 'key');
  if (key === null || key.length > memoryLimits.key || !new RegExp(memoryKeyPattern).test(key))
    report(
      'SCHEMA_INVALID',
      `${at}/key`,
      `"key" must be lower-case words with dots, hyphens or underscores between them, at most ${memoryLimits.key} characters, not ${quoted(valueAt(entry, 'key'))}.`,
    );
  // A redacted name would name another entry, so a secret in it is refused; texts are redacted like every other.
  judgeSecrets(key, `${at}/key`, report);
  judgeText(entry, 'decision', at, report);
  judgeText(entry, 'rationale', at, report);
  const supersedes = valueAt(entry, 'supersedes');
  if (supersedes !== undefined && supersedes !== null && !(Number.isSafeInteger(supersedes) && Number(supersedes) > 0))
    report('SCHEMA_INVALID', `${at}/supersedes`, `"supersedes" must be the number of a version, or null.`);
}

function judgeText(entry: JsonObject, name: 'decision' | 'rationale', at: string, report: AddFinding): void {
  const text = textAt(entry, name);
  const place = `${at}/${name}`;
  if (text === null || text.trim() === '')
    report('MISSING_REQUIRED_INPUT', place, `"${name}" is missing or empty; write it out.`);
  else if (text.length > memoryLimits[name])
    report('SCHEMA_INVALID', place, `"${name}" has at most ${memoryLimits[name]} characters, not ${text.length}.`);
  else if (/[^\P{Cc}\n]|[\u2028\u2029\p{Cs}]|[\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/u.test(text))
    report('SCHEMA_INVALID', place, `"${name}" holds control or invisible characters; write plain text.`);
}

/** Says what an entry looks like that no memory holds; null: like nothing of that kind. Source: seed 004. */
export function forbiddenContent({ decision, rationale }: ProposedMemory): string | null {
  const text = `${decision}\n${rationale}`;
  const lines = text.split('\n');
  return (
    kinds.find(
      ({ marks, lines: form }) =>
        marks.some((mark) => mark.test(text)) || lines.filter((line) => form?.test(line)).length > 1,
    )?.kind ?? null
  );
}

/** `marks`: one is enough. `lines`: two lines of this form. */
const kinds: readonly { readonly kind: string; readonly marks: readonly RegExp[]; readonly lines?: RegExp }[] = [
  {
    kind: 'a transcript',
    marks: [/<\/?(user|human|assistant|system)>|<\|im_(start|end)\|>|"role"\s?:\s?"(user|assistant|system|tool)"/i],
    lines: /^[^\p{L}]{0,6}(user|human|assistant|system|ai)\W{0,4}:/iu,
  },
  {
    kind: 'the log of a tool',
    marks: [
      /"tool_use_id"|"type"\s?:\s?"tool_(use|result)"|<\/?(tool_call|tool_result|function_calls|function_results)\b/i,
    ],
    lines: /^ {0,8}(\$ \S|(exit code|stdout|stderr)\s?:)/i,
  },
  {
    kind: 'a trace of reasoning',
    marks: [/<\/?(antml:)?(think|thinking|reasoning|scratchpad)>/i, /"type"\s?:\s?"(thinking|reasoning)"/i],
    lines: /^ {0,8}(let me (think|check|see)|let's think|okay, so|hmm\b|wait,|actually,)/i,
  },
];
