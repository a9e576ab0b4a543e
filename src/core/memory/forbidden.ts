import type { ProposedMemory } from '../../contracts/memory';

/** Says what it looks like that no memory holds: a transcript, a log, or reasoning. Null: none. Source: seed 004. */
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
