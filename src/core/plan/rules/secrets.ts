import { secretsIn } from '../../documents/secrets';
import { isObject, type JsonObject } from '../../../base/json';
import { pointerToken } from '../../../base/jsonPointer';
import type { AddPlanFinding } from './judgedTask';

/**
 * A plan lies in the repository in clear text and is copied into the evidence, byte by byte: a secret in it is out.
 * A warning, because a text that looks like one may be none.
 */
export function judgeSecretTexts(plan: JsonObject, report: AddPlanFinding): void {
  const texts: PlanText[] = [];
  collect(plan, '', '', 0, texts);
  // Nearly every plan holds none: one look at all of it says so.
  if (secretsIn(texts.map(({ text, inObject }) => `${text}\n${inObject}`).join('\n')).length === 0) return;
  let told = 0;
  for (const { pointer, text, inObject } of texts) {
    const kinds = secretsIn(`${text}\n${inObject}`);
    if (kinds.length === 0) continue;
    report(
      'SECRET_IN_PLAN',
      pointer,
      `This looks like a secret (${kinds.join(', ')}), and a plan is kept in clear text. Take it out, replace the key where it is valid, and name a variable in execution.env instead.`,
      'warning',
    );
    if (++told === mostTold) return;
  }
}

interface PlanText {
  readonly pointer: string;
  readonly text: string;
  /** With the name of its field, which may say what it is. */
  readonly inObject: string;
}

function collect(value: unknown, pointer: string, name: string, depth: number, texts: PlanText[]): void {
  if (typeof value === 'string')
    texts.push({
      pointer,
      text: value,
      inObject: name === '' ? '' : `${JSON.stringify(name)}: ${JSON.stringify(value)}`,
    });
  else if (Array.isArray(value) && depth < deepest)
    value.forEach((item, index) => collect(item, `${pointer}/${index}`, '', depth + 1, texts));
  else if (isObject(value) && depth < deepest)
    for (const [key, item] of Object.entries(value)) {
      // A name that is a secret is told of at its object: a pointer would repeat it.
      const named = key.length > 20 && secretsIn(key).length > 0;
      if (named) texts.push({ pointer, text: key, inObject: '' });
      else collect(item, `${pointer}/${pointerToken(key)}`, key, depth + 1, texts);
    }
}

const mostTold = 100;
const deepest = 64;
