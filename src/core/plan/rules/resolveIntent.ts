import { intents, type Intent, type IntentSource } from '../../../contracts/vocabulary/intents';

export type ResolvedIntent =
  | { readonly kind: 'resolved'; readonly intent: Intent; readonly from: IntentSource }
  | { readonly kind: 'ambiguous'; readonly first: FoundIntent; readonly second: FoundIntent };

interface FoundIntent {
  readonly intent: Intent;
  /** The words that lead to the intent. */
  readonly reading: string;
}

/** The declared one, else by rules about type and words, else code generation. Two: a question. Source: seed 004. */
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

/** `settles`: phrases are not read. A planner's documentation and automation mean writing. Source: decision 60. */
const typeRules: Readonly<Record<string, { readonly intent: Intent; readonly settles: true }>> = {
  documentation: { intent: 'code_generation', settles: true },
  automation: { intent: 'code_generation', settles: true },
};

interface Rule {
  readonly intent: Intent;
  readonly phrase: RegExp;
  /** Later in a description it says what the result looks like, not what else is done. */
  readonly only?: 'first';
}

/** Each needs an object, because titles use the verbs otherwise (`tag the release`, `plan B`). Source: seed 004. */
const phraseRules: readonly Rule[] = [
  {
    intent: 'generate_context',
    phrase: /^(?:re)?(?:generate|create) (?:the )?(?:project context|ai\.project\.json)\b/i,
  },
  { intent: 'refactor', phrase: /^(?:refactor|restructure)(?: (?:the|this|these|all|our|its)\b|$)/i },
  {
    intent: 'architecture',
    phrase:
      /^(?:design|decide on|define) (?:the |an |our )?(?:[\w-]+ )?architecture\b(?! (?:diagram|page|document|section))/i,
  },
  { intent: 'architecture', phrase: /^choose (?:the|a|our) database\b/i },
  {
    intent: 'domain',
    phrase: /^(?:model|design|define) (?:the|our) (?:[\w-]+ )?domain model\b|^model (?:the|our) (?:[\w-]+ )?domain\b/i,
  },
  { intent: 'code_generation', phrase: /^implement(?: (?:the|this|these|all|an?)\b|$)/i },
  { intent: 'code_generation', phrase: /^write (?:the )?code\b/i },
  { intent: 'code_review', phrase: /^review (?:the|this|all|our) (?:[\w-]+ )?(?:code|diff|pull request|patch)\b/i },
  { intent: 'debugging', phrase: /^debug(?: (?:the|this|why)\b|$)/i },
  { intent: 'planning', phrase: /^plan (?:the|how|out)\b/i },
  { intent: 'planning', phrase: /^(?:draft|write) (?:the|a) roadmap\b/i },
  { intent: 'research', phrase: /^research(?: (?:the|which|what|how|whether)\b|$)/i },
  { intent: 'research', phrase: /^compare (?:the|which|what|how)\b/i },
  { intent: 'summarize', phrase: /^(?:summari[sz]e (?:the|this|all|what|how)\b|tl;?dr\b)/i, only: 'first' },
  { intent: 'classify', phrase: /^classify (?:the|this|these|all|each|every)\b/i, only: 'first' },
  { intent: 'chat', phrase: /^(?:hi|hello|hey)(?: there)?$/i, only: 'first' },
];
