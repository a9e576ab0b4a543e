import type { Intent } from '../../../contracts/vocabulary/intents';

/**
 * What the type of a task says about its intent, in addition to the intents' own names. `settles`: phrases are not
 * read. The planner's documentation and automation both mean writing. Source: decision 60.
 */
export const typeRules: Readonly<Record<string, { readonly intent: Intent; readonly settles: true }>> = {
  documentation: { intent: 'code_generation', settles: true },
  automation: { intent: 'code_generation', settles: true },
};

interface Rule {
  readonly intent: Intent;
  readonly phrase: RegExp;
  /** Later in a description it says what the result looks like, not what else is done. */
  readonly only?: 'first';
}

/**
 * The intent of a part of a description that begins like this. Each phrase needs an object, because titles use the
 * verbs for other things (`tag the release`, `plan B`, `compare-and-swap`). Source: seed 004.
 */
export const phraseRules: readonly Rule[] = [
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
