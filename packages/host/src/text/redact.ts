/** Stands where a secret was. */
export const masked = '[masked]'

const secretName =
  /^(?:.*[_-])?(?:pass(?:word|wd|phrase)?|secret|token|api[_-]?key|apikey|authorization|auth|credentials?|private[_-]?key|cookie|session[_-]?id|otp|pin|cvv)$/i
const secretText: readonly RegExp[] = [
  // well-known forms of keys, by how they begin
  /\b(?:sk|pk|rk)[-_](?:live|test|proj|ant|or)[-_A-Za-z0-9]{16,}/g,
  /\b(?:ghp|gho|ghu|ghs|ghr|github_pat)_[A-Za-z0-9_]{20,}/g,
  /\bxox[abposr]-[A-Za-z0-9-]{10,}/g,
  /\bglpat-[A-Za-z0-9_-]{16,}/g,
  /\bAKIA[0-9A-Z]{16}\b/g,
  /\bAIza[0-9A-Za-z_-]{30,}/g,
  /\bnpm_[A-Za-z0-9]{30,}/g,
  /\beyJ[\w-]{8,}\.eyJ[\w-]{8,}\.[\w-]+/g,
  /-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]{0,16384}?(?:-----END [A-Z ]*PRIVATE KEY-----|$)/g,
  /(?<=\b(?:Bearer|Basic)\s)[\w.~+/=-]{8,}/g,
  /(?<=:\/\/[^\s/:@]{0,64}:)[^\s/@]{1,256}(?=@)/g,
]
const maxDepth = 64

/** What every form of a key has in it; most texts have none of it, and are looked through once. */
const mayBeSecret =
  /[-_](?:live|test|proj|ant|or)|gh[pousr]_|github_pat_|xox|glpat-|AKIA|AIza|npm_|eyJ|-----BEGIN|Bearer|Basic|:\/\//

/** A copy of a value without what looks like a secret, by the name it has or by its form. */
export function redact(value: unknown, depthLeft = maxDepth): unknown {
  if (typeof value === 'string') return redactText(value)
  if (typeof value !== 'object' || value === null) return value
  if (depthLeft === 0) return masked
  if (Array.isArray(value)) return value.map((item) => redact(item, depthLeft - 1))
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [
      name,
      isValue(member) && secretName.test(name) ? masked : redact(member, depthLeft - 1),
    ]),
  )
}

/** A text without what looks like a secret. */
export function redactText(text: string): string {
  return mayBeSecret.test(text) ? secretText.reduce((rest, pattern) => rest.replace(pattern, masked), text) : text
}

function isValue(member: unknown): boolean {
  return typeof member === 'string' || typeof member === 'number'
}
