import { createHash } from 'node:crypto';
import Ajv from 'ajv';
import addFormats from 'ajv-formats';
import { planFiles } from '../../src/adapters/documents/planFiles';
import { schemaOf } from '../../src/adapters/documents/schemas';
import { checkPlanText, type PlanCheck } from '../../src/engine/plans/check';
import { interleaved, threadTime, type Line } from './measure';
import { agentPlan } from './plans';

/** The one validation of a plan, from its bytes to its findings, against the schema alone: decode, parse, ajv. */
export async function validationBench(tasks = 1000, rounds = 9, times = 40): Promise<readonly Line[]> {
  const bytes = new TextEncoder().encode(JSON.stringify(agentPlan(tasks), null, 2));
  const ajv = new Ajv({ allErrors: true, verbose: true, strict: true, allowUnionTypes: true });
  addFormats(ajv);
  const validate = ajv.compile(schemaOf('plan'));
  const path = '/workspace/docs/plans/PLAN_BENCH.json';
  // Both engines' code must be warm before anything counts.
  for (let index = 0; index < 30; index++) checkPlanText(planFiles, bytes, path);
  const decoder = new TextDecoder('utf-8', { fatal: true });
  const schemaAlone = (): void => {
    if (!validate(JSON.parse(decoder.decode(bytes)))) throw new Error('The plan of the benchmark is not valid.');
  };
  const ours = (): PlanCheck => {
    const check = checkPlanText(planFiles, bytes, path);
    if (!check.valid) throw new Error(check.code);
    return check;
  };
  let digests = 0;
  const works = [
    schemaAlone,
    () => void ours(),
    () => {
      schemaAlone();
      digests += createHash('sha256').update(bytes).digest('hex').length;
    },
    () => {
      digests += ours().plan_sha256?.length ?? 0;
    },
  ];
  const [alone = 0, whole = 0, aloneHashed = 0, wholeHashed = 0] = await interleaved(rounds, threadTime, works, times);
  if (digests === 0) throw new Error('Nothing was hashed.');
  const aimed = {
    aim: { of: 'ratio', is: 'at_most', value: 2 },
    why: 'A third reads text, places and exact numbers, a seventh is the shape, a fifth looks for secrets. The rest are rules of commands, paths and tasks, which no schema says.',
  } as const;
  return [
    {
      name: `validation of a plan of ${String(tasks)} tasks`,
      unit: 'ms',
      ours: whole,
      against: 'decoding, JSON.parse and ajv',
      limit: alone,
      ...aimed,
    },
    {
      name: 'the same and its digest (run, approve)',
      unit: 'ms',
      ours: wholeHashed,
      against: 'decoding, JSON.parse, ajv and SHA-256',
      limit: aloneHashed,
      ...aimed,
    },
  ];
}
