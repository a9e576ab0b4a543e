import { isObject } from '../../base/json';
import type { StreamSummary } from '../../contracts/launch';

/** The supervisor keeps no structured output beyond this many characters, and the words below in its place. */
export const longestOutput = 2 * 1024 * 1024;
/** No object, so it is no result. A CLI that says it itself gains nothing. */
export const outputNotKept = 'longer than what is kept';

type Source = 'structured_output' | 'fenced_block' | 'bare_message';

/** What the worker claims, not yet validated; or why there is no claim. */
export type ClaimedResult =
  | { readonly found: true; readonly value: unknown; readonly source: Source }
  | { readonly found: false; readonly reason: 'no_message' | 'no_json' | 'invalid_json'; readonly detail: string };

/** The JSON text that a CLI answered with, not yet parsed, or why it is missing. Prose never counts. */
export type ClaimedText =
  | { readonly found: true; readonly text: string; readonly source: Source }
  | { readonly found: false; readonly reason: 'no_message' | 'no_json'; readonly detail: string };

/**
 * Finds the CLI's structured output, else the last fenced `json` block of the last message. Otherwise it is a last message
 * that is one JSON object. Only the text shows a key that it names twice.
 */
export function claimedText(
  summary: Pick<StreamSummary, 'structured' | 'lastMessage'>,
  { noMessage, noJson } = ofAgent,
): ClaimedText {
  if (isObject(summary.structured))
    return { found: true, text: JSON.stringify(summary.structured), source: 'structured_output' };
  const message = summary.lastMessage?.trim() ?? '';
  const absent = summary.structured === outputNotKept ? notKept : null;
  if (message === '') return { found: false, reason: 'no_message', detail: absent ?? noMessage };
  const block = fencedJson(message).at(-1);
  if (block !== undefined) return { found: true, text: block, source: 'fenced_block' };
  if (message.startsWith('{')) return { found: true, text: message, source: 'bare_message' };
  return { found: false, reason: 'no_json', detail: absent ?? noJson };
}

const ofAgent = {
  noMessage: 'The agent ended without a last message.',
  noJson: 'The last message of the agent holds no fenced json block and is no JSON object.',
};

const ofWorker: typeof ofAgent = {
  noMessage: 'The worker ended without a last message.',
  noJson: 'The last message holds no result packet: no fenced json block and no JSON object.',
};

/** The result packet. Its value is any JSON; adapters/documents/claimCheck validates it. */
export function claimedResult(summary: Pick<StreamSummary, 'structured' | 'lastMessage'>): ClaimedResult {
  const claimed = claimedText(summary, ofWorker);
  if (!claimed.found) return claimed;
  const { text, source } = claimed;
  try {
    return { found: true, value: JSON.parse(text) as unknown, source };
  } catch (error) {
    const complaint =
      source === 'bare_message'
        ? 'The last message starts like JSON and is not valid'
        : 'The last fenced json block is not valid JSON';
    const why = error instanceof Error ? error.message.slice(0, 200) : 'unreadable';
    return { found: false, reason: 'invalid_json', detail: `${complaint}: ${why}` };
  }
}

const notKept = 'Its structured output is larger than 2 MiB, so it was not kept.';

/** The contents of the complete blocks that start with a line of three or more backticks and `json`. */
export function fencedJson(message: string): readonly string[] {
  const found: string[] = [];
  let open: { fence: string; json: boolean; lines: string[] } | null = null;
  for (const line of message.split('\n')) {
    const text = line.trim();
    const fence = /^`{3,}/.exec(text)?.[0] ?? '';
    if (open === null) {
      if (fence !== '') open = { fence, json: text.slice(fence.length).trim().toLowerCase() === 'json', lines: [] };
    } else if (fence.length >= open.fence.length && text === fence) {
      if (open.json) found.push(open.lines.join('\n'));
      open = null;
    } else if (open.json) {
      open.lines.push(line);
    }
  }
  return found;
}
