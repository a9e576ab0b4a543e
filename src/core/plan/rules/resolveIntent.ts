import { intents, type Intent, type IntentSource } from '../../../contracts/vocabulary/intents';
import { phraseRules, typeRules } from './intentRules';

export type ResolvedIntent =
  | { readonly kind: 'resolved'; readonly intent: Intent; readonly from: IntentSource }
  | { readonly kind: 'ambiguous'; readonly first: FoundIntent; readonly second: FoundIntent };

interface FoundIntent {
  readonly intent: Intent;
  /** The words that lead to the intent. */
  readonly reading: string;
}

/**
 * The one intent of a task: as declared, else by the rules about its type and description, else code generation. Two
 * intents are a question to a person. Source: seed 004 phase 1.
 */
export function resolveIntent(task: {
  readonly intent: Intent | null;
  readonly type: string | null;
  readonly description: string;
}): ResolvedIntent {
  if (task.intent !== null) return { kind: 'resolved', intent: task.intent, from: 'declared' };
  const type = intentOfType(task.type ?? '');
  if (type?.settles === true) return { kind: 'resolved', intent: type.intent, from: 'type' };
  const said = intentsOfText(task.description);
  const [first, ...others] = [...(type ? [{ intent: type.intent, reading: task.type ?? '' }] : []), ...said];
  if (!first) return { kind: 'resolved', intent: 'code_generation', from: 'default' };
  const second = others.find(({ intent }) => intent !== first.intent);
  if (second) return { kind: 'ambiguous', first, second };
  return { kind: 'resolved', intent: first.intent, from: type ? 'type' : 'description' };
}

function intentOfType(type: string): { readonly intent: Intent; readonly settles: boolean } | null {
  const name = type
    .trim()
    .toLowerCase()
    .replace(/[\s-]+/g, '_');
  const intent = intents.find((one) => one === name);
  if (intent !== undefined) return { intent, settles: false };
  return Object.hasOwn(typeRules, name) ? (typeRules[name] ?? null) : null;
}

/** Longer descriptions are not read further. */
const read = 1000;

/** The intents of the parts of a text; none where its first part says nothing, because that is what the task is. */
function intentsOfText(text: string): readonly FoundIntent[] {
  const parts = text
    .slice(0, read)
    .split(/[.;!?](?:\s+|$)|[\r\n]+|,? (?:and )?then |,? and /i)
    .map((part) => part.trim())
    .filter((part) => part !== '');
  const said = parts.map((reading, index) => {
    const rule = phraseRules.find(({ phrase, only }) => (only === undefined || index === 0) && phrase.test(reading));
    return rule ? { intent: rule.intent, reading } : null;
  });
  return said[0] ? said.filter((one) => one !== null) : [];
}
