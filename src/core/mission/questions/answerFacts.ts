import type { AttemptEvidence } from '../../../contracts/taskEvidence';
import type { Answer, AskedAssertion, Question } from '../../model/question';
import { decidedBy, decisionOf } from '../../observation/outstanding';
import type { PacketFacts } from '../../packets/packet';

type AnswerFacts = NonNullable<AttemptEvidence['answers']>[number];

/** A question as its packet has it. */
export function askedFacts({ text, choices, asked_by }: Question): NonNullable<PacketFacts['question']> {
  return {
    text,
    choices: choices.map(({ id, text: words }) => ({ id, text: words })),
    askedBy: { kind: asked_by.kind, name: asked_by.name },
  };
}

/** An answer as the evidence has it, and a handoff. */
export function answerFacts({ question, asked_by, choice, text, decision, about }: Answer): AnswerFacts {
  return {
    question,
    asked_by: { kind: asked_by.kind, name: asked_by.name },
    choice,
    text,
    answered_by: decidedBy(decision),
    ...(about && { about: aboutOf(about) }),
  };
}

export function answerOf({ question, asked_by, choice, text, answered_by: by, about }: AnswerFacts): Answer {
  return {
    question,
    asked_by: { kind: asked_by.kind, name: asked_by.name },
    choice,
    text,
    decision: decisionOf(by),
    ...(about && { about: aboutOf(about) }),
  };
}

/** Drops every further field that a document may hold. */
export function aboutOf({ assertion, tree_sha256 }: AskedAssertion): { assertion: string; tree_sha256: string } {
  return { assertion, tree_sha256 };
}
