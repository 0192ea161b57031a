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

/** Text that every form of a key contains; most texts have none of it, and are searched once. */
const mayBeSecret =
  /[-_](?:live|test|proj|ant|or)|gh[pousr]_|github_pat_|xox|glpat-|AKIA|AIza|npm_|eyJ|-----BEGIN|Bearer|Basic|:\/\//

/** A value without text that looks like a secret, by its name or its form; the same value if there is none. */
export function redact(value: unknown, depthLeft = maxDepth): unknown {
  if (typeof value === 'string') return redactText(value)
  if (typeof value !== 'object' || value === null) return value
  if (depthLeft === 0) return masked
  return Array.isArray(value) ? redactItems(value, depthLeft - 1) : redactMembers(value as Members, depthLeft - 1)
}

interface Members {
  [name: string]: unknown
}

function redactItems(items: readonly unknown[], depthLeft: number): readonly unknown[] {
  const shown = items.map((item) => redact(item, depthLeft))
  return shown.some((item, at) => item !== items[at]) ? shown : items
}

function redactMembers(value: Readonly<Members>, depthLeft: number): Readonly<Members> {
  let copy: Members | undefined
  for (const name of Object.keys(value)) {
    const member = value[name]
    const shown = isValue(member) && secretName.test(name) ? masked : redact(member, depthLeft)
    if (shown === member) continue
    copy ??= { ...value }
    copy[name] = shown
  }
  return copy ?? value
}

/** A text without parts that look like a secret. */
export function redactText(text: string): string {
  return mayBeSecret.test(text) ? secretText.reduce((rest, pattern) => rest.replace(pattern, masked), text) : text
}

function isValue(member: unknown): boolean {
  return typeof member === 'string' || typeof member === 'number'
}
