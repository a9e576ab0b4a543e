import { canonicalText } from '../../base/json';
import { compilePolicy, narrowPolicy } from '../../core/policy/compile';
import type { ModelPolicy, PolicyReading, PolicySource } from '../../core/policy/policy';
import { shippedPolicy } from '../../core/policy/shipped';
import type { PlanFiles } from '../ports/plans';

/** The shipped one, over it this machine's, over that the repository's. Reports a file that cannot be followed. */
export async function readPolicy(files: PlanFiles, workspaceDir: string | null): Promise<PolicyReading> {
  const sources: PolicySource[] = [{ kind: 'shipped', path: null }];
  let policy: ModelPolicy = shippedPolicy;
  for (const { kind, path: file, document, problems } of await files.policies(workspaceDir)) {
    if (problems.length > 0) return { ok: false, code: 'POLICY_INVALID', file, problems };
    if (document === null) continue;
    const compiled = kind === 'machine' ? compilePolicy(policy, document) : narrowPolicy(policy, document);
    if (!compiled.ok) {
      const lines = compiled.problems.map(({ pointer, message }) => `${pointer}: ${message}`);
      return { ok: false, code: compiled.problems[0]?.code ?? 'POLICY_INVALID', file, problems: lines };
    }
    policy = compiled.policy;
    sources.push({ kind, path: file });
  }
  const sha256 = files.parse(canonicalText(policy)).sha256 ?? '';
  return { ok: true, policy: { policy, sha256, sources } };
}
