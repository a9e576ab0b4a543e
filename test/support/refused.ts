type Answer =
  | { readonly ok: true }
  | { readonly ok: false; readonly code: string }
  | { readonly ok: false; readonly refusal: { readonly code: string } };

/** The code that a refusal gives, `OK` for what is not refused. */
export function codeOf(answer: Answer): string {
  if (answer.ok) return 'OK';
  return 'refusal' in answer ? answer.refusal.code : answer.code;
}
