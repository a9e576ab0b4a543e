import { secretNames } from '../../../contracts/vocabulary/files/secretPatterns';
import { secretsIn } from '../../documents/secrets';
import { isObject, type JsonObject } from '../../../base/json';
import { pointerToken } from '../../../base/jsonPointer';
import type { AddPlanFinding } from './judgedTask';

/**
 * Warns about texts that look like secrets: a plan is committed in clear text and copied into the evidence. A warning
 * only, because such a text may be none.
 */
export function judgeSecretTexts(plan: JsonObject, report: AddPlanFinding): void {
  const texts = textsOf(plan);
  // One search over all texts first, because nearly every plan holds no secret.
  if (secretsIn([...new Set(texts.map(({ text }) => text))].join('\n')).length === 0) return;
  let reported = 0;
  for (const { pointer, text } of texts) {
    const kinds = secretsIn(text);
    if (kinds.length === 0) continue;
    report(
      'SECRET_IN_PLAN',
      pointer,
      `This looks like a secret (${kinds.join(', ')}), and a plan is kept in clear text. Take it out, replace the key where it is valid, and name a variable in execution.env instead.`,
      'warning',
    );
    if (++reported === mostReported) return;
  }
}

interface PlanText {
  readonly pointer: string;
  /** Below it its field with its name, such as `"password": "..."`, where a pattern recognises it by the name. */
  readonly text: string;
}

function textsOf(plan: JsonObject): readonly PlanText[] {
  const texts: PlanText[] = [];
  const collect = (value: unknown, pointer: string, name: string, depth: number): void => {
    if (typeof value === 'string')
      texts.push({
        pointer,
        text: secretNames.test(name) ? `${value}\n${JSON.stringify(name)}: ${JSON.stringify(value)}` : value,
      });
    else if (Array.isArray(value) && depth < deepest)
      value.forEach((item, index) => collect(item, `${pointer}/${index}`, '', depth + 1));
    else if (isObject(value) && depth < deepest)
      for (const [key, item] of Object.entries(value)) {
        // A secret in a field's name is reported at the object, because a pointer would repeat it.
        const named = key.length > 20 && secretsIn(key).length > 0;
        if (named) texts.push({ pointer, text: key });
        else collect(item, `${pointer}/${pointerToken(key)}`, key, depth + 1);
      }
  };
  collect(plan, '', '', 0);
  return texts;
}

const mostReported = 100;
const deepest = 64;
